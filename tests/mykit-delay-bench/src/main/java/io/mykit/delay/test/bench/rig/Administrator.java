package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;

/** Makes namespaces and tokens of a server whose {@code http.admin-token} is {@link #TOKEN}. Thread-safe. */
public final class Administrator {
    /** For the configuration of the server. */
    public static final String TOKEN = "bench-admin-token-0123456789";

    private final DelayClient client;

    public Administrator(DelayServer server) {
        this.client = server.client().withToken(TOKEN);
    }

    /** @param pushRate the limit of pushes a second; 0 = none */
    public void makeNamespace(String name, int pushRate) {
        Answer unused = post("/namespaces", "{\"name\":\"" + name + "\",\"pushRate\":" + pushRate + "}");
    }

    /**
     * A new token of a producer.
     *
     * @param namespace {@code *} = the whole queue
     */
    public String producer(String namespace) {
        return post("/tokens", "{\"namespace\":\"" + namespace + "\",\"roles\":[\"producer\"]}")
                .dataObject()
                .getString("token");
    }

    private Answer post(String path, String json) {
        Answer answer = client.post(path, json);
        if (answer.status() != 200) {
            throw new IllegalStateException(answer.text());
        }
        return answer;
    }
}
