package io.mykit.delay.test.operate;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A queue whose one node is stopped and started again with other parts, as an operator does it. */
final class Queue implements AutoCloseable {
    /** Without the archive of classes, which the first clean stop would write for seconds. */
    private static final String JAVA_OPTIONS = "-Xmx256m -Dmykit.delay.class-archive=";

    private final Path dir;
    private final Map<String, String> settings = new HashMap<>();
    private int starts;
    private DelayServer server;

    /** @param dir for the files of the nodes */
    Queue(Path dir, String name, String redis, String database, String broker) {
        this.dir = dir;
        settings.put("queue.name", name);
        settings.put("redis.uri", redis);
        settings.put("datasource.url", database);
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "activemq");
        settings.put("activemq.broker-url", broker);
    }

    /** Changes a key for the next start. */
    void change(String key, String value) {
        settings.put(key, value);
    }

    void start() {
        String name = "node-" + starts++;
        server = DelayServer.start(name, dir.resolve(name), settings, JAVA_OPTIONS);
    }

    void stop() {
        assertThat(server.stop()).isZero();
    }

    /** The output of the node since its start. */
    String log() {
        return server.log();
    }

    DelayClient client() {
        return server.client();
    }

    void push(String topic, String id, String body, long delayMs) {
        accepted(server.client().push(Map.of("topic", topic, "id", id, "body", body, "delay", delayMs)));
    }

    void replace(String topic, String id, String body, long delayMs) {
        accepted(server.client()
                .push(Map.of("topic", topic, "id", id, "body", body, "delay", delayMs, "replace", true)));
    }

    void cancel(String id) {
        accepted(server.client().delete(id));
    }

    JSONObject job(String id) {
        return server.client().job(id).dataObject();
    }

    /** The name of its status. */
    String status(String id) {
        return job(id).getString("statusName");
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }

    private static void accepted(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }
}
