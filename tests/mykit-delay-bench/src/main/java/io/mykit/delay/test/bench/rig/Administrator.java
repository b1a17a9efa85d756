package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes namespaces and tokens of a server whose {@code http.admin-token} is {@link #TOKEN}. Thread-safe. */
public final class Administrator {
    /** For the configuration of the server. */
    public static final String TOKEN = "bench-admin-token-0123456789";

    private static final Pattern MADE = Pattern.compile("\"token\":\"([^\"]+)\"");

    private final int port;
    private final HttpClient client = HttpClient.newHttpClient();

    public Administrator(int port) {
        this.port = port;
    }

    /** @param pushRate the limit of pushes a second; 0 = none */
    public void makeNamespace(String name, int pushRate) throws IOException, InterruptedException {
        post("/namespaces", "{\"name\":\"" + name + "\",\"pushRate\":" + pushRate + "}");
    }

    /**
     * A new token of a producer.
     *
     * @param namespace {@code *} = the whole queue
     */
    public String producer(String namespace) throws IOException, InterruptedException {
        String made = post("/tokens", "{\"namespace\":\"" + namespace + "\",\"roles\":[\"producer\"]}");
        Matcher token = MADE.matcher(made);
        if (!token.find()) {
            throw new IllegalStateException(made);
        }
        return token.group(1);
    }

    private String post(String path, String json) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("content-type", "application/json")
                .header("authorization", "Bearer " + TOKEN)
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(response.body());
        }
        return response.body();
    }
}
