package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.DeliveryChannelContract;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.channel.kafka.KafkaChannelFactory;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.test.server.KafkaServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class KafkaChannelIT extends DeliveryChannelContract {
    private static final String LIMIT = Integer.toString(4 * 1024 * 1024);
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    private static Path dir;

    private static KafkaServer server;

    @BeforeAll
    static void startServer() {
        server = KafkaServer.start(dir, Map.of("message.max.bytes", LIMIT));
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @Override
    protected DeliveryChannel open() {
        return open("biz-key");
    }

    private static DeliveryChannel open(String key) {
        return ChannelConfig.open(
                new KafkaChannelFactory(),
                Map.of(
                        "kafka.bootstrap-servers",
                        server.address(),
                        "kafka.key",
                        key,
                        "kafka.properties.max.request.size",
                        LIMIT,
                        "delivery.send-timeout",
                        "10s"));
    }

    @Override
    protected String newTopic() {
        String topic = Messages.newTopic();
        server.createTopic(topic, 1, Map.of());
        return topic;
    }

    @Override
    protected Inbox inbox(String topic) {
        return new KafkaInbox(server.address(), topic);
    }

    @Override
    protected Optional<DelayMessage> undeliverable(String topic) {
        return Optional.of(Messages.incompressible(topic, Integer.parseInt(LIMIT) + 1));
    }

    @Test
    void headersAndBytesArriveAndTheKeyIsThatOfTheSetting() {
        for (Map.Entry<String, String> setting :
                Map.of("biz-key", "k", "id", "extras", "none", "").entrySet()) {
            String topic = newTopic();
            try (DeliveryChannel channel = open(setting.getKey());
                    Inbox inbox = inbox(topic)) {
                assertThat(channel.deliver(topic, List.of(withHeadersAndBytes(topic))))
                        .containsExactly(Delivery.DELIVERED);
                Arrival arrival = inbox.await(1, PATIENCE).get(0);
                assertThat(arrival.body()).isEqualTo("\u00e9\u0000x");
                assertThat(arrival.properties())
                        .containsEntry("trace-id", "\u4e2d \uD83D\uDE00")
                        .containsEntry("attempt", "1")
                        .containsEntry("createTime", "1899999999123");
                assertThat(arrival.properties().getOrDefault(KafkaInbox.KEY, ""))
                        .isEqualTo(setting.getValue());
            }
        }
    }

    @Test
    void aTopicOfANamespaceHasADotForItsSlash() {
        String part = Messages.newTopic();
        server.createTopic("shop." + part, 1, Map.of());
        String topic = "shop/" + part;
        try (DeliveryChannel channel = open();
                Inbox inbox = inbox("shop." + part)) {
            assertThat(channel.deliver(topic, Messages.batch(topic, 3, 10))).containsOnly(Delivery.DELIVERED);
            inbox.awaitExactly(3, PATIENCE);
        }
    }

    /** The bytes are UTF-8, so that the inbox can show them as a text. */
    private static DelayMessage withHeadersAndBytes(String topic) {
        return Messages.message("extras", topic, "s", "k", "w6kAeA==")
                .withExtras(new MessageExtras(
                        true, Map.of("trace-id", "\u4e2d \uD83D\uDE00"), RetryOptions.NONE, 0, Map.of(), 0));
    }
}
