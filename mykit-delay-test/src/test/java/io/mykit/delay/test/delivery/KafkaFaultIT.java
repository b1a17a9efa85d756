package io.mykit.delay.test.delivery;

import static io.mykit.delay.test.delivery.ChannelFaults.SEND_TIMEOUT;
import static io.mykit.delay.test.delivery.ChannelFaults.assertDelivered;
import static io.mykit.delay.test.delivery.ChannelFaults.assertHealth;
import static io.mykit.delay.test.delivery.ChannelFaults.assertUnavailable;
import static io.mykit.delay.test.delivery.ChannelFaults.awaitDelivered;
import static io.mykit.delay.test.delivery.ChannelFaults.awaitUp;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.channel.kafka.KafkaChannelFactory;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.server.KafkaServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is killed and frozen, that lacks a topic, and that refuses a message. */
@Tag("long")
class KafkaFaultIT {
    private static final String TOPIC = "known";
    private static final int BROKERS_LIMIT = 64 * 1024;

    @TempDir
    private static Path dir;

    private static KafkaServer server;
    private DeliveryChannel channel;

    @BeforeAll
    static void startServer() {
        server = KafkaServer.start(dir, Map.of("message.max.bytes", Integer.toString(BROKERS_LIMIT)));
        server.createTopic(TOPIC, 1, Map.of());
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @BeforeEach
    void openChannel() {
        channel = open(server);
    }

    @AfterEach
    void closeChannel() {
        channel.close();
    }

    @Test
    void aKilledBrokerIsUnavailableAndThenThereAgain() {
        awaitDelivered(channel, TOPIC);
        server.process().kill();

        assertUnavailable(channel, TOPIC, 20, 100);
        assertHealth(channel, false);

        server.startBroker();
        awaitDelivered(channel, TOPIC);
        awaitUp(channel);
    }

    @Test
    void aFrozenBrokerIsUnavailableAndThenThereAgain() {
        awaitDelivered(channel, TOPIC);
        server.process().freeze();

        assertUnavailable(channel, TOPIC, 1, 100);
        assertUnavailable(channel, TOPIC, 20, 100);
        assertHealth(channel, false);

        server.process().thaw();
        awaitDelivered(channel, TOPIC);
        awaitUp(channel);
    }

    @Test
    void aFrozenBrokerBlocksNoThreadThatSends() {
        awaitDelivered(channel, TOPIC);
        server.process().freeze();
        try {
            long before = System.nanoTime();
            List<CompletableFuture<Delivery>> fates = new ArrayList<>(send(TOPIC, 200));
            for (int i = 0; i < 20; i++) {
                fates.addAll(send("unheard-of-" + i, 10));
            }
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(SEND_TIMEOUT);
            assertThat(fates).allSatisfy(fate -> assertThat(fate.join().kind()).isEqualTo(Delivery.Kind.UNAVAILABLE));
        } finally {
            server.process().thaw();
        }
        awaitDelivered(channel, TOPIC);
    }

    @Test
    void opensBeforeTheBrokerRuns() {
        try (KafkaServer later = KafkaServer.prepare(dir.resolve("later"), Map.of());
                DeliveryChannel early = open(later)) {
            assertUnavailable(early, "early", 2, 100);
            assertHealth(early, false);

            later.startBroker();
            later.createTopic("early", 1, Map.of());
            awaitDelivered(early, "early");
            awaitUp(early);
        }
    }

    @Test
    void topicsThatAreNotThereHoldUpNoOtherAndAreNotMade() {
        awaitDelivered(channel, TOPIC);
        List<CompletableFuture<Delivery>> missing = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            missing.addAll(send("missing-" + i, 5));
        }

        long before = System.nanoTime();
        assertDelivered(channel, TOPIC);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(SEND_TIMEOUT);
        assertThat(missing).map(CompletableFuture::join).allSatisfy(fate -> {
            assertThat(fate.kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
            assertThat(fate.detail()).contains("Kafka has no topic missing-");
            assertThat(fate.unsent()).isTrue();
        });
        assertHealth(channel, true);
        assertThat(server.topics()).noneMatch(name -> name.startsWith("missing"));
    }

    @Test
    void aTopicIsUsedSoonAfterItIsMade() {
        assertUnavailable(channel, "made-later", 2, 100);
        server.createTopic("made-later", 3, Map.of());
        awaitDelivered(channel, "made-later");
    }

    @Test
    void theBrokersRefusalHitsOnlyTheMessageThatIsToBlame() {
        awaitDelivered(channel, TOPIC);
        List<DelayMessage> batch = new ArrayList<>(Messages.batch(TOPIC, 20, 100));
        batch.set(7, Messages.incompressible(TOPIC, 2 * BROKERS_LIMIT));

        List<CompletableFuture<Delivery>> unknown = send("missing-beside", 3);
        List<Delivery> fates = channel.deliver(TOPIC, batch);

        List<Delivery.Kind> kinds = new ArrayList<>(Collections.nCopies(20, Delivery.Kind.DELIVERED));
        kinds.set(7, Delivery.Kind.REFUSED);
        assertThat(fates).extracting(Delivery::kind).containsExactlyElementsOf(kinds);
        assertThat(fates.get(7).detail()).contains("RecordTooLarge");
        assertThat(unknown)
                .map(CompletableFuture::join)
                .extracting(Delivery::kind)
                .containsOnly(Delivery.Kind.UNAVAILABLE);
    }

    @Test
    void aRecordThatItsTopicCannotHoldIsAnAttemptOfThatMessage() {
        server.createTopic("compacted", 1, Map.of("cleanup.policy", "compact"));
        awaitDelivered(channel, "compacted");
        DelayMessage withoutKey = Messages.message("keyless", "compacted", "", "", "b");

        assertThat(channel.deliver("compacted", List.of(withoutKey)))
                .extracting(Delivery::kind)
                .containsExactly(Delivery.Kind.FAILED);
        assertDelivered(channel, "compacted");
    }

    @Test
    void aMessageThatMayNotBeSentAnyMoreIsNotSent() {
        awaitDelivered(channel, TOPIC);
        Outgoing late = new Outgoing(Messages.batch(TOPIC, 1, 10).get(0), 1, 0, () -> false);

        Delivery fate = ((AsyncDeliveryChannel) channel)
                .send(TOPIC, List.of(late))
                .get(0)
                .join();

        assertThat(fate.kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
        assertThat(fate.unsent()).isTrue();
    }

    @Test
    void closesInTimeWhileTheBrokerIsFrozen() {
        awaitDelivered(channel, TOPIC);
        server.process().freeze();
        try {
            send(TOPIC, 100);
            long before = System.nanoTime();
            channel.close();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
        } finally {
            server.process().thaw();
        }
    }

    @Test
    void leavesNoThreadsBehind() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        DeliveryChannel another = open(server);
        awaitDelivered(another, TOPIC);
        assertThat(Thread.getAllStackTraces()).hasSizeGreaterThan(before.size());

        another.close();
        ChannelFaults.awaitNoThreadsBesides(before);
    }

    private List<CompletableFuture<Delivery>> send(String topic, int count) {
        List<Outgoing> batch = Messages.batch(topic, count, 100).stream()
                .map(message -> new Outgoing(message, 1, 0))
                .toList();
        return ((AsyncDeliveryChannel) channel).send(topic, batch);
    }

    private static DeliveryChannel open(KafkaServer server) {
        return ChannelConfig.open(
                new KafkaChannelFactory(),
                Map.of(
                        "kafka.bootstrap-servers",
                        server.address(),
                        "delivery.send-timeout",
                        SEND_TIMEOUT.toMillis() + "ms"));
    }
}
