package io.mykit.delay.test.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.test.delivery.RocketMqInbox;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A trace goes on when another node leads: MySQL, ZooKeeper and RocketMQ. */
@Tag("nightly")
class TracingFailoverIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void theNextLeaderLinksItsDeliveryToThePush() throws IOException {
        String topic = "traced-" + System.nanoTime();
        String rocketMq = SharedServers.rocketMq().nameServerAddress();
        Path classes = dir.resolve("classes.log");
        try (SpanReceiver receiver = new SpanReceiver();
                RedisServer redis = RedisServer.start(dir.resolve("redis"), "tracing");
                RocketMqInbox inbox = new RocketMqInbox(rocketMq, topic)) {
            Map<String, String> settings = new HashMap<>(receiver.settings());
            settings.put("mode", "master-standby");
            settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
            settings.put("registry.session-timeout", "4s");
            settings.put("redis.uri", redis.uri());
            settings.put("datasource.url", SharedServers.mysql().freshDatabase("tracing"));
            settings.put("datasource.username", "root");
            settings.put("delivery.default-channel", "rocketmq");
            settings.put("rocketmq.namesrv-addr", rocketMq);
            settings.put("queue.name", topic);
            settings.put("http.drain", "0s");
            try (DelayServer one = DelayServer.start("one", dir.resolve("one"), settings)) {
                await().atMost(PATIENCE).until(one::isLeader);
                try (DelayServer two = DelayServer.start(
                        "two", dir.resolve("two"), settings, "-Xmx384m -Xlog:class+load:file=" + classes)) {
                    deliverAfterTheKill(one, two, topic, receiver, inbox);
                }
            }
        }
        // The client of RocketMQ finds the API of OpenTelemetry now. It must not look for an SDK.
        assertThat(Files.readString(classes))
                .contains("io.opentelemetry.sdk.trace.SdkTracerProvider ")
                .doesNotContain("io.opentelemetry.api.GlobalOpenTelemetry ")
                .doesNotContain("io.opentelemetry.sdk.autoconfigure");
    }

    private static void deliverAfterTheKill(
            DelayServer one, DelayServer two, String topic, SpanReceiver receiver, RocketMqInbox inbox) {
        String producer = TracedClient.parent(true);
        Map<String, Object> message = Map.of("topic", topic, "id", "f1", "delay", 6_000, "body", "work");
        assertThat(new TracedClient(one)
                        .post("/push", message, "traceparent", producer)
                        .status())
                .isEqualTo(200);
        one.kill();
        await().atMost(PATIENCE).until(two::isLeader);

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(inbox.arrivals()).extracting(Arrival::id).contains("f1"));
        assertThat(inbox.arrivals())
                .allSatisfy(arrival -> assertThat(arrival.properties()).containsEntry("traceparent", producer));
        SeenSpan sent = receiver.await(
                "send " + topic, span -> "f1".equals(span.attributes().get("messaging.message.id")));
        assertThat(sent.links()).containsExactly(TracedClient.context(producer));
        assertThat(sent.attributes())
                .containsEntry("messaging.system", "rocketmq")
                .containsEntry("mykit_delay.delay_ms", 6_000L);
        assertThat(receiver.resource()).containsEntry("service.name", "mykit-delay");
    }
}
