package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.DeliveryChannelContract;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.test.server.AmqpBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a broker of AMQP 0-9-1. The messages go to an exchange, where one queue takes all of them and is emptied at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RabbitMqContract extends DeliveryChannelContract {
    private static final String EXCHANGE = "contract";
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private AmqpBroker broker;
    private Connection drain;

    protected abstract AmqpBroker start(Path dir);

    @BeforeAll
    final void startBroker(@TempDir Path dir) throws IOException {
        broker = start(dir);
        drain = RabbitMqInbox.connect(broker.port());
        Channel channel = drain.createChannel();
        channel.exchangeDeclare(EXCHANGE, "topic", true);
        String all = channel.queueDeclare().getQueue();
        channel.queueBind(all, EXCHANGE, "#");
        channel.basicConsume(all, true, (tag, message) -> {}, tag -> {});
    }

    @AfterAll
    final void closeBroker() {
        if (drain != null) {
            drain.abort(1000);
        }
        if (broker != null) {
            broker.close();
        }
    }

    @Override
    protected final DeliveryChannel open() {
        return AmqpChannels.open(broker.address(), Map.of("exchange", EXCHANGE), "30s");
    }

    @Override
    protected final Inbox inbox(String topic) {
        return RabbitMqInbox.bound(broker.port(), EXCHANGE, topic);
    }

    @Override
    protected final Optional<DelayMessage> undeliverable(String topic) {
        return Optional.of(Messages.message("bad", topic, "s", "k", "x")
                .withExtras(new MessageExtras(false, Map.of("id", "x"), RetryOptions.NONE, 0, Map.of(), 0)));
    }

    /** The bytes are UTF-8, so that the inbox can show them as a text. */
    @Test
    final void propertiesHeadersAndBytesArriveByTheDefaultExchange() {
        String topic = Messages.newTopic();
        DelayMessage message = new DelayMessage(
                        "id-" + topic, topic, "s", "k", "w6kAeA==", 0, 0, 1_900_000_000_123L, 7, 0)
                .withExtras(new MessageExtras(
                        true, Map.of("trace-id", "\u4e2d \uD83D\uDE00"), RetryOptions.NONE, 0, Map.of(), 0));
        try (DeliveryChannel channel = AmqpChannels.open(broker.address(), Map.of(), "30s");
                Inbox inbox = RabbitMqInbox.ofQueue(broker.port(), topic)) {
            assertThat(channel.deliver(topic, List.of(message))).containsExactly(Delivery.DELIVERED);

            Arrival arrival = inbox.await(1, PATIENCE).get(0);
            assertThat(arrival.body()).isEqualTo("\u00e9\u0000x");
            assertThat(arrival.dueTimeMs()).isEqualTo(1_900_000_000_123L);
            assertThat(arrival.properties())
                    .containsEntry("trace-id", "\u4e2d \uD83D\uDE00")
                    .containsEntry("message-id", "id-" + topic)
                    .containsEntry("type", "s")
                    .containsEntry("correlation-id", "k")
                    .containsEntry("timestamp", Date.from(Instant.ofEpochSecond(1_900_000_000)))
                    .containsEntry("priority", 7)
                    .containsEntry("delivery-mode", 2)
                    .containsEntry("content-type", "application/octet-stream")
                    .containsEntry("routing-key", topic);
        }
    }
}
