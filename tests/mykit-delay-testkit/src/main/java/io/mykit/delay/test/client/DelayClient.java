package io.mykit.delay.test.client;

import com.alibaba.fastjson2.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;

/** Talks to one server. Thread-safe. */
public final class DelayClient {
    private static final HttpClient PLAIN = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http;
    private final URI base;
    private final Duration patience;
    /** Empty = none. */
    private final String token;

    public DelayClient(int port) {
        this(port, PATIENCE);
    }

    /** @param patience with which an answer is waited for */
    public DelayClient(int port, Duration patience) {
        this(PLAIN, URI.create("http://127.0.0.1:" + port), patience, "");
    }

    private DelayClient(HttpClient http, URI base, Duration patience, String token) {
        this.http = http;
        this.base = base;
        this.patience = patience;
        this.token = token;
    }

    /** The same client with this token; empty = without one. */
    public DelayClient withToken(String other) {
        return new DelayClient(http, base, patience, other);
    }

    /** With connections of its own. */
    public static DelayClient secure(int port, SSLContext context) {
        HttpClient http = HttpClient.newBuilder()
                .sslContext(context)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
        return new DelayClient(http, URI.create("https://127.0.0.1:" + port), PATIENCE, "");
    }

    public Answer push(Map<String, ?> message) {
        return post("/push", JSON.toJSONString(message));
    }

    public CompletableFuture<Answer> pushAsync(Map<String, ?> message) {
        HttpRequest request = request("/push")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.toJSONString(message)))
                .build();
        return http.sendAsync(request, BodyHandlers.ofString())
                .thenApply(response -> new Answer(response.statusCode(), response.body()));
    }

    public Answer pushBatch(List<? extends Map<String, ?>> messages) {
        return post("/push/batch", JSON.toJSONString(messages));
    }

    public Answer delete(String id) {
        return get("/delete?jobId=" + encode(id));
    }

    public Answer job(String id) {
        return get("/job/" + encode(id));
    }

    public Answer health() {
        return get("/health");
    }

    /** Whether the node leads. A server with tokens does not tell a caller without one. */
    public boolean isLeader() {
        return "LEADER".equals(health().dataObject().getString("role"));
    }

    /** As {@link Answer#metric}, of a scrape now. */
    public double metric(String beginning) {
        return get("/metrics").metric(beginning);
    }

    public Answer get(String path) {
        return send(request(path).GET().build());
    }

    public Answer post(String path, String body) {
        return send(
                request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(base.resolve(path)).timeout(patience).header("content-type", "application/json");
        return token.isEmpty() ? request : request.header("authorization", "Bearer " + token);
    }

    private Answer send(HttpRequest request) {
        try {
            var response = http.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
