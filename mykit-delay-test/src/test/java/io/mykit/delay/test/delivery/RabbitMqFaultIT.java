package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.RabbitMqServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The faults of the channel rabbitmq on RabbitMQ itself, where that is installed, and those that only RabbitMQ has. */
@Tag("long")
class RabbitMqFaultIT extends AmqpFaultContract {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private RabbitMqServer rabbitMq;

    @Override
    protected AmqpBroker start(Path dir) {
        assumeTrue(RabbitMqServer.isInstalled(), RabbitMqServer.reason());
        rabbitMq = RabbitMqServer.start(dir, List.of("max_message_size = " + BROKERS_LIMIT));
        return rabbitMq;
    }

    /** RabbitMQ itself writes the definition of a queue some seconds after it has confirmed it. */
    @Override
    protected void writeDefinitions() {
        rabbitMq.control("eval", "mnesia:dump_log().");
    }

    @Test
    void aMessageWithoutAQueueIsExplained() {
        String topic = Messages.newTopic();
        Delivery fate = channel().deliver(topic, Messages.batch(topic, 1, 100)).get(0);
        assertThat(fate)
                .isEqualTo(Delivery.notSent(
                        "no queue for this key: " + topic + " at the default exchange (312 NO_ROUTE)"));
    }

    @Test
    void aFullQueueLetsItsTopicWait() {
        String topic = Messages.newTopic();
        AmqpChannels.declareQueue(broker().port(), topic, Map.of("x-max-length", 3, "x-overflow", "reject-publish"));

        List<Delivery> fates = channel().deliver(topic, Messages.batch(topic, 10, 100));

        assertThat(fates).filteredOn(Delivery.DELIVERED::equals).hasSize(3);
        assertThat(fates)
                .filteredOn(fate -> !fate.equals(Delivery.DELIVERED))
                .hasSize(7)
                .containsOnly(Delivery.unavailable("the broker answered basic.nack"));
    }

    @Test
    void aBrokerThatIsShortOfMemoryIsUnavailableAndGetsNothingTwice() {
        String topic = Messages.newTopic();
        AmqpChannels.declareQueue(broker().port(), topic, Map.of());
        List<DelayMessage> first = Messages.batch(topic, 10, 100);
        List<DelayMessage> second = Messages.batch(topic, 10, 100);
        assertThat(channel().deliver(topic, first)).containsOnly(Delivery.DELIVERED);
        rabbitMq.control("set_vm_memory_high_watermark", "0.0000001");
        try {
            // The broker tells a connection that it is blocked when it publishes.
            channel().deliver(topic, Messages.batch(topic, 1, 100));
            Awaitility.await().atMost(PATIENCE).until(() -> !channel().health().up());
            assertThat(channel().health().details().get("reason").toString()).contains("low on memory");
            List<Delivery> fates = channel().deliver(topic, second);
            assertThat(fates).allMatch(fate -> fate.kind() == Delivery.Kind.UNAVAILABLE && fate.unsent());
            assertThat(fates.get(0).detail()).contains("connection.blocked");
        } finally {
            rabbitMq.control("set_vm_memory_high_watermark", "0.4");
        }
        ChannelFaults.awaitUp(channel());
        assertThat(channel().deliver(topic, second)).containsOnly(Delivery.DELIVERED);
        try (Inbox inbox = RabbitMqInbox.ofQueue(broker().port(), topic)) {
            inbox.awaitExactly(21, PATIENCE);
        }
    }

    @Test
    void anAccountThatMayNotPublishHoldsUpNoOtherTopic() {
        rabbitMq.control("add_user", "sender", "s3cret");
        rabbitMq.control("set_permissions", "sender", "", "amq.default", "");
        Map<String, String> keys =
                Map.of("username", "sender", "password", "s3cret", "topics.invoices.exchange", "amq.topic");
        try (DeliveryChannel sender = AmqpChannels.open(broker().address(), keys)) {
            ChannelFaults.assertUnavailable(sender, "invoices", 5, 100);
            assertThat(sender.deliver("invoices", Messages.batch("invoices", 1, 10))
                            .get(0)
                            .detail())
                    .contains("403 ACCESS_REFUSED")
                    .doesNotContain("s3cret");
            ChannelFaults.assertDelivered(sender, TOPIC);
            ChannelFaults.awaitUp(sender);
        }
    }
}
