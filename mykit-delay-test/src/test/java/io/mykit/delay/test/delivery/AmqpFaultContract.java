package io.mykit.delay.test.delivery;

import static io.mykit.delay.test.delivery.ChannelFaults.assertDelivered;
import static io.mykit.delay.test.delivery.ChannelFaults.assertHealth;
import static io.mykit.delay.test.delivery.ChannelFaults.assertUnavailable;
import static io.mykit.delay.test.delivery.ChannelFaults.awaitDelivered;
import static io.mykit.delay.test.delivery.ChannelFaults.awaitUp;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A broker of AMQP 0-9-1 that is killed, frozen and cut off, that has no queue, and that takes no large message. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AmqpFaultContract {
    static final String TOPIC = "known";
    /** Small, so that messages of both kinds are too large: those that are sent alone, and those that are not. */
    static final int BROKERS_LIMIT = 8 * 1024;

    private static final String EXCHANGE = "events";
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private AmqpBroker broker;
    private DeliveryChannel channel;

    /** Starts a broker that takes messages of {@link #BROKERS_LIMIT} bytes at most. */
    protected abstract AmqpBroker start(Path dir);

    final AmqpBroker broker() {
        return broker;
    }

    final DeliveryChannel channel() {
        return channel;
    }

    @BeforeAll
    final void startBroker(@TempDir Path dir) {
        broker = start(dir);
        AmqpChannels.declareQueue(broker.port(), TOPIC, Map.of());
    }

    /** Returns when a kill of the broker loses no queue that was declared before. */
    protected void writeDefinitions() {}

    @AfterAll
    final void closeBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @BeforeEach
    final void openChannel() {
        channel = AmqpChannels.open(broker.address(), Map.of());
    }

    @AfterEach
    final void closeChannel() {
        channel.close();
    }

    @Test
    void aKilledBrokerIsUnavailableAndThenThereAgain() {
        awaitDelivered(channel, TOPIC);
        broker.kill();

        assertUnavailable(channel, TOPIC, 20, 100);
        assertHealth(channel, false);

        broker.restart();
        awaitDelivered(channel, TOPIC);
        awaitUp(channel);
    }

    @Test
    void aFrozenBrokerIsUnavailableAndThenThereAgain() {
        awaitDelivered(channel, TOPIC);
        broker.freeze();
        try {
            assertUnavailable(channel, TOPIC, 1, 100);
            assertUnavailable(channel, TOPIC, 20, 100);
            assertUnavailable(channel, TOPIC, 200, 8000);
            assertHealth(channel, false);
        } finally {
            broker.thaw();
        }
        awaitDelivered(channel, TOPIC);
        awaitUp(channel);
    }

    /** More bytes than the sockets of both sides hold. */
    @Test
    void aWriteThatHangsEndsAtTheSendTimeout() {
        awaitDelivered(channel, TOPIC);
        broker.freeze();
        try {
            assertUnavailable(channel, TOPIC, 2000, 8000);
        } finally {
            broker.thaw();
        }
        awaitDelivered(channel, TOPIC);
    }

    @Test
    void theFirstAddressThatAnswersIsUsed() {
        String dead = "127.0.0.1:" + FreePorts.next();
        try (DeliveryChannel two = AmqpChannels.open(dead + ", " + broker.address(), Map.of())) {
            assertDelivered(two, TOPIC);
            awaitUp(two);
        }
        try (DeliveryChannel none = AmqpChannels.open(dead, Map.of())) {
            assertUnavailable(none, TOPIC, 1, 100);
            assertThat(none.health().details().get("reason").toString())
                    .contains(dead)
                    .contains("Connection refused");
        }
    }

    @Test
    void aMessageWithoutAQueueAndOneThatIsTooLargeHoldUpNoOther() {
        AmqpChannels.bind(broker.port(), EXCHANGE, "of-mixed", "mixed.s");
        List<DelayMessage> batch = new ArrayList<>(Messages.batch("mixed", 20, 100));
        batch.set(4, Messages.message("lost", "mixed", "nowhere", "", "x"));
        batch.set(9, Messages.message("over", "mixed", "s", "", "x".repeat(BROKERS_LIMIT + 2000)));
        batch.set(14, Messages.message("large", "mixed", "s", "", "x".repeat(BROKERS_LIMIT * 10)));
        Map<String, String> byKey = Map.of("exchange", EXCHANGE, "routing-key", "{topic}.{subtopic}");
        try (DeliveryChannel routed = AmqpChannels.open(broker.address(), byKey, "12s");
                Inbox inbox = RabbitMqInbox.bound(broker.port(), EXCHANGE, "mixed.s")) {
            List<Delivery> fates = routed.deliver("mixed", batch);

            List<Delivery.Kind> kinds = new ArrayList<>(Collections.nCopies(20, Delivery.Kind.DELIVERED));
            kinds.set(4, Delivery.Kind.UNAVAILABLE);
            kinds.set(9, Delivery.Kind.REFUSED);
            kinds.set(14, Delivery.Kind.REFUSED);
            assertThat(fates).extracting(Delivery::kind).containsExactlyElementsOf(kinds);
            assertThat(fates.get(9).detail()).contains(Integer.toString(BROKERS_LIMIT));
            assertThat(inbox.await(17, PATIENCE)).extracting(Arrival::id).doesNotContain("lost", "over", "large");
        }
    }

    @Test
    void aTopicWithoutAQueueWaitsUntilTheQueueIsThere() {
        String topic = Messages.newTopic();
        List<Delivery> fates = channel.deliver(topic, Messages.batch(topic, 3, 100));

        assertThat(fates).extracting(Delivery::kind).containsOnly(Delivery.Kind.UNAVAILABLE);
        assertDelivered(channel, TOPIC);
        assertHealth(channel, true);

        AmqpChannels.declareQueue(broker.port(), topic, Map.of());
        assertDelivered(channel, topic);
    }

    @Test
    void anExchangeThatIsMissingHoldsUpNoOtherTopic() {
        Map<String, String> keys = Map.of("topics.invoices.exchange", "not-there");
        try (DeliveryChannel two = AmqpChannels.open(broker.address(), keys)) {
            assertUnavailable(two, "invoices", 20, 100);
            Delivery alone =
                    two.deliver("invoices", Messages.batch("invoices", 1, 100)).get(0);
            assertThat(alone.detail()).contains("not-there");
            assertThat(alone.unsent()).isTrue();
            assertDelivered(two, TOPIC);
            assertHealth(two, true);
        }
    }

    @Test
    void aBatchIsSentTwiceOnlyWhereAConfirmWasLostByAKill() throws Exception {
        AmqpChannels.declareQueue(broker.port(), "kill", Map.of());
        writeDefinitions();
        assertNothingIsLost("kill", broker.port(), () -> {
            broker.kill();
            broker.restart();
        });
    }

    @Test
    void aBatchIsSentTwiceOnlyWhereAConfirmWasLostByAFreeze() throws Exception {
        assertNothingIsLost("freeze", broker.port(), () -> {
            broker.freeze();
            Thread.sleep(ChannelFaults.SEND_TIMEOUT.plusMillis(500).toMillis());
            broker.thaw();
        });
    }

    @Test
    void aBatchIsSentTwiceOnlyWhereAConfirmWasLostByACutOrASilence() throws Exception {
        try (TcpProxy proxy = new TcpProxy(broker.port())) {
            assertNothingIsLost("cut", proxy.port(), () -> {
                proxy.become(Weather.CUT);
                Thread.sleep(300);
                proxy.become(Weather.FAIR);
            });
            assertNothingIsLost("silence", proxy.port(), () -> {
                proxy.become(Weather.SILENT);
                Thread.sleep(ChannelFaults.SEND_TIMEOUT.plusMillis(500).toMillis());
                proxy.become(Weather.FAIR);
            });
        }
    }

    @Test
    void leavesNoThreadsBehind() {
        awaitDelivered(channel, TOPIC);
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        DeliveryChannel another = AmqpChannels.open(broker.address(), Map.of());
        awaitDelivered(another, TOPIC);
        assertThat(Thread.getAllStackTraces()).hasSizeGreaterThan(before.size());

        another.close();

        ChannelFaults.awaitNoThreadsBesides(before);
    }

    private void assertNothingIsLost(String topic, int port, TornBatches.Fault fault) throws Exception {
        AmqpChannels.declareQueue(broker.port(), topic, Map.of());
        TornBatches torn = new TornBatches(topic);
        try (DeliveryChannel through = AmqpChannels.open("127.0.0.1:" + port, Map.of())) {
            torn.deliverAll(through, fault);
        }
        try (Inbox inbox = RabbitMqInbox.ofQueue(broker.port(), topic)) {
            torn.assertArrived(inbox);
        }
    }
}
