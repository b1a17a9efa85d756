package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.RabbitMqInbox;
import io.mykit.delay.test.docs.Page;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.QpidServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server with the channel rabbitmq, set up as the page for users of the delayed-message plug-in tells. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RabbitMqServerIT {
    private static final String PAGE = "docs/from-rabbitmq-delayed-plugin.md";
    private static final Pattern PUSH = Pattern.compile("(?s)-d '(\\{.*})'");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private QpidServer broker;
    private DelayServer server;
    private DelayClient client;

    @BeforeAll
    void start() throws IOException {
        broker = QpidServer.start(dir.resolve("broker"), QpidServer.MAX_MESSAGE_BYTES);
        declare("order-timeouts", "orders.cancel");
        server = DelayServer.start(
                "server",
                dir,
                Map.of(
                        "delivery.default-channel", "rabbitmq",
                        "rabbitmq.addresses", broker.address(),
                        "rabbitmq.exchange", "events",
                        "rabbitmq.routing-key", "{topic}.{subtopic}",
                        "delivery.retry-max", "1s"));
        client = server.client();
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void thePushOfThePageArrives() {
        Matcher push = PUSH.matcher(String.join("\n", Page.of(PAGE).blocks()));
        assertThat(push.find()).isTrue();
        JSONObject message = JSON.parseObject(push.group(1));
        try (Inbox inbox = RabbitMqInbox.bound(broker.port(), "events", "orders.cancel")) {
            assertThat(client.push(message.fluentPut("delay", 300)).status()).isEqualTo(200);
            Arrival arrival = inbox.await(1, PATIENCE).get(0);
            assertThat(arrival.body()).isEqualTo("{\"order\":4711}");
            assertThat(arrival.properties())
                    .containsEntry("message-id", "order-4711")
                    .containsEntry("correlation-id", "4711")
                    .containsEntry("type", "cancel")
                    .containsEntry("content-type", "application/json")
                    .containsEntry("routing-key", "orders.cancel");
        }
        await().atMost(PATIENCE).until(() -> status("order-4711").equals("FINISH"));
    }

    @Test
    void aTopicWithoutAQueueWaitsAndCountsNoAttempt() throws IOException {
        client.push(Map.of("topic", "invoices", "subtopic", "due", "id", "invoice-1", "body", "x", "delay", 100));
        await().atMost(PATIENCE)
                .until(() -> client.get("/topics?topic=invoices").text().contains("no queue for this key"));

        declare("invoices-due", "invoices.due");

        await().atMost(PATIENCE).until(() -> status("invoice-1").equals("FINISH"));
        assertThat(client.job("invoice-1").dataObject().getIntValue("attempts")).isLessThanOrEqualTo(1);
    }

    @Test
    void aKilledBrokerIsSeenAndTheMessageComesLater() {
        await().atMost(PATIENCE).until(() -> channelHealth().contains("Qpid"));
        broker.kill();
        client.push(Map.of("topic", "orders", "subtopic", "cancel", "id", "late-1", "body", "x", "delay", 100));
        await().atMost(PATIENCE).until(() -> channelHealth().contains("Connection refused"));
        assertThat(status("late-1")).isNotEqualTo("FINISH");

        broker.restart();

        await().atMost(PATIENCE).until(() -> status("late-1").equals("FINISH"));
        assertThat(client.job("late-1").dataObject().getIntValue("attempts")).isLessThanOrEqualTo(1);
    }

    private String status(String id) {
        return client.job(id).dataObject().getString("statusName");
    }

    private String channelHealth() {
        return client.health().text();
    }

    private void declare(String queue, String key) throws IOException {
        try (Connection connection = RabbitMqInbox.connect(broker.port())) {
            Channel channel = connection.createChannel();
            channel.exchangeDeclare("events", "topic", true);
            channel.queueDeclare(queue, true, false, false, Map.of());
            channel.queueBind(queue, "events", key);
        }
    }
}
