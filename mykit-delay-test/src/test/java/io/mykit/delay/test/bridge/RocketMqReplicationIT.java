package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.channel.rocketmq.RocketMqChannelFactory;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.test.delivery.ChannelConfig;
import io.mykit.delay.test.delivery.RocketMqInbox;
import io.mykit.delay.test.server.RocketMqServer;
import io.mykit.delay.test.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A RocketMQ master that waits for its replica, while there is none. {@code mykit.test.replica-away} is how many seconds it is
 * away: two by default.
 */
@Tag("nightly")
class RocketMqReplicationIT extends BridgeFixture {
    private static final Duration AWAY = Duration.ofSeconds(Integer.getInteger("mykit.test.replica-away", 2));
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private static Path dir;

    private static RocketMqServer server;
    private DeliveryChannel channel;

    @BeforeAll
    static void startServer() {
        server = RocketMqServer.start(dir, RocketMqServer.REPLICATING);
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @AfterEach
    void closeChannel() {
        channel.close();
    }

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        // A pause of less would mean many tries.
        settings.put("mykit.delay.delivery.retry-min", "500ms");
        settings.put("mykit.delay.delivery.retry-max", AWAY.toSeconds() > 60 ? "30s" : "2s");
        return settings;
    }

    @Test
    void withoutItsReplicaEachMessageIsDeliveredOnce() throws Exception {
        String topic = Messages.newTopic();
        channel = open(server, "delivered");
        try (Inbox inbox = new RocketMqInbox(server.nameServerAddress(), topic)) {
            int sent = pushWhileAway(topic);
            for (int i = 0; i < sent; i++) {
                awaitStatus(topic + i, FINISH);
                assertThat(bridge.store().find(topic + i).orElseThrow().attempts())
                        .isZero();
            }
            inbox.awaitExactly(sent, PATIENCE);
            Health health = channel.health();
            assertThat(health.up()).isTrue();
            assertThat(health.details().get("storedUnconfirmed").toString()).contains("FLUSH_SLAVE_TIMEOUT");
            try (ServerProcess replica = server.startReplica()) {
                awaitInTime(topic);
                assertThat(replica.isAlive()).isTrue();
            }
        }
        assertIndexEmpty();
    }

    @Test
    void ifThatIsUnavailableTheMessagesWaitForTheReplica() throws Exception {
        String topic = Messages.newTopic();
        channel = open(server, "unavailable");
        try (Inbox inbox = new RocketMqInbox(server.nameServerAddress(), topic)) {
            int sent = pushWhileAway(topic);
            inbox.await(3, PATIENCE);
            assertThat(bridge.store().find(topic + 0).orElseThrow().attempts()).isZero();
            assertThat(bridge.status(topic + 0)).isEqualTo(READY);
            try (ServerProcess replica = server.startReplica()) {
                await().atMost(PATIENCE).untilAsserted(() -> {
                    for (int i = 0; i < sent; i++) {
                        assertThat(bridge.status(topic + i)).isEqualTo(FINISH);
                    }
                });
                assertThat(replica.isAlive()).isTrue();
            }
            for (int i = 0; i < sent; i++) {
                String id = topic + i;
                assertThat(bridge.store().find(id).orElseThrow().attempts()).isZero();
                // The topic is tried with its first message; each try stores a copy.
                long copies = inbox.arrivals().stream()
                        .filter(arrival -> arrival.id().equals(id))
                        .count();
                assertThat(copies).as("copies of %s", id).isBetween(1L, 60L + 2 * AWAY.toSeconds() / 30);
            }
        }
        assertIndexEmpty();
    }

    /** A broker that knows it has no replica stores nothing, and answers an error that could be a message's as well. */
    @Test
    void aBrokerThatWantsMoreReplicasMakesNoDeadLetters() throws Exception {
        String topic = Messages.newTopic();
        Map<String, String> acting =
                Map.of("brokerRole", "SYNC_MASTER", "inSyncReplicas", "2", "enableSlaveActingMaster", "true");
        try (RocketMqServer alone = RocketMqServer.prepare(dir.resolve("alone"), acting)) {
            alone.startNameServer();
            alone.launchBroker();
            channel = open(alone, "delivered");
            await().atMost(PATIENCE)
                    .until(() -> channel.deliver(topic, Messages.batch(topic, 1, 10))
                                    .get(0)
                                    .kind()
                            == Delivery.Kind.UNCLEAR);
            List<Delivery> fates = channel.deliver(topic, Messages.batch(topic, 200, 10));
            assertThat(fates)
                    .extracting(Delivery::kind)
                    .doesNotContain(Delivery.Kind.FAILED, Delivery.Kind.DELIVERED, Delivery.Kind.REFUSED);
            assertThat(fates.get(0).detail()).contains("in-sync replicas").contains("code 1");

            bridge.deliverBy(channel);
            bridge.lead(1);
            bridge.pushTogether(20, i -> bridge.message(topic + i, topic, 0));
            // Each message once, and then more probes than max-attempts, with pauses of 0.5, 1 and 2 s.
            await().atMost(PATIENCE)
                    .until(() -> bridge.measured("mykit.delay.attempts", "outcome", "unavailable") >= 24);
            assertThat(IntStream.range(0, 20)
                            .mapToObj(i -> bridge.store().find(topic + i).orElseThrow()))
                    .allSatisfy(row -> {
                        assertThat(row.attempts()).isZero();
                        assertThat(row.status().isUnfinished()).isTrue();
                    });
        }
    }

    /** Returns how many were pushed. */
    private int pushWhileAway(String topic) throws Exception {
        bridge.deliverBy(channel);
        bridge.lead(1);
        long end = System.nanoTime() + AWAY.toNanos();
        int sent = 0;
        do {
            bridge.push(bridge.message(topic + sent++, topic, 0));
        } while (sent < 10 || (System.nanoTime() < end && sleepASecond()));
        return sent;
    }

    private static boolean sleepASecond() throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
        return true;
    }

    private void awaitInTime(String topic) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            channel.deliver(topic + "-warm", Messages.batch(topic + "-warm", 1, 10));
            assertThat(channel.health().details()).doesNotContainKey("storedUnconfirmed");
        });
    }

    /** A channel to the broker; the caller closes it. */
    static DeliveryChannel open(RocketMqServer server, String storedUnconfirmed) {
        return ChannelConfig.open(
                new RocketMqChannelFactory(),
                Map.of(
                        "rocketmq.namesrv-addr",
                        server.nameServerAddress(),
                        "rocketmq.stored-unconfirmed",
                        storedUnconfirmed));
    }
}
