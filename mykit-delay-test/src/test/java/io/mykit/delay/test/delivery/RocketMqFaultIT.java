package io.mykit.delay.test.delivery;

import static io.mykit.delay.test.delivery.ChannelFaults.SEND_TIMEOUT;
import static io.mykit.delay.test.delivery.ChannelFaults.assertDelivered;
import static io.mykit.delay.test.delivery.ChannelFaults.assertHealth;
import static io.mykit.delay.test.delivery.ChannelFaults.assertUnavailable;
import static io.mykit.delay.test.delivery.ChannelFaults.awaitDelivered;
import static io.mykit.delay.test.delivery.ChannelFaults.awaitUp;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.channel.rocketmq.RocketMqChannelFactory;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.server.RocketMqServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A name server and a broker that are killed and frozen, and that refuse a topic and a message. */
@Tag("long")
class RocketMqFaultIT {
    private static final String TOPIC = "known";
    private static final int BROKERS_LIMIT = 64 * 1024;

    @TempDir
    private static Path dir;

    private static RocketMqServer server;
    private DeliveryChannel channel;

    @BeforeAll
    static void startServer() {
        server = RocketMqServer.start(
                dir, Map.of("autoCreateTopicEnable", "false", "maxMessageSize", Integer.toString(BROKERS_LIMIT)));
        server.createTopic(TOPIC);
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @BeforeEach
    void openChannel() {
        channel = open(server.nameServerAddress());
    }

    @AfterEach
    void closeChannel() {
        channel.close();
    }

    @Test
    void aKilledBrokerIsUnavailableAndThenThereAgain() {
        awaitDelivered(channel, TOPIC);
        server.broker().kill();

        assertUnavailable(channel, TOPIC, 20, 100);
        assertHealth(channel, false);

        server.startBroker();
        awaitDelivered(channel, TOPIC);
        awaitUp(channel);
    }

    @Test
    void aFrozenBrokerIsUnavailableAndThenThereAgain() {
        awaitDelivered(channel, TOPIC);
        server.broker().freeze();

        assertUnavailable(channel, TOPIC, 1, 100);
        assertUnavailable(channel, TOPIC, 20, 100);
        assertHealth(channel, false);

        server.broker().thaw();
        awaitDelivered(channel, TOPIC);
        awaitUp(channel);
    }

    @Test
    void aFrozenNameServerHoldsUpOnlyTopicsThatNobodyAskedForYet() {
        awaitDelivered(channel, TOPIC);
        server.nameServer().freeze();
        try {
            assertUnavailable(channel, "unknown", 1, 100);
            assertDelivered(channel, TOPIC);
            assertHealth(channel, false);
        } finally {
            server.nameServer().thaw();
        }
        awaitUp(channel);
    }

    @Test
    void opensWhileNobodyIsThere() {
        try (RocketMqServer later = RocketMqServer.prepare(dir.resolve("later"), Map.of());
                DeliveryChannel early = open(later.nameServerAddress())) {
            assertUnavailable(early, "early", 2, 100);
            assertHealth(early, false);

            later.startNameServer();
            assertUnavailable(early, "early", 2, 100);

            later.startBroker();
            awaitDelivered(early, "early");
            assertHealth(early, true);
        }
    }

    @Test
    void aTopicThatIsNotThereHoldsUpNoOther() {
        awaitDelivered(channel, TOPIC);
        assertUnavailable(channel, "unknown", 5, 100);
        assertDelivered(channel, TOPIC);
        assertHealth(channel, true);
    }

    @Test
    void theBrokersRefusalHitsOnlyTheMessageThatIsToBlame() {
        awaitDelivered(channel, TOPIC);
        List<DelayMessage> batch = new ArrayList<>(Messages.batch(TOPIC, 20, 100));
        batch.set(7, Messages.incompressible(TOPIC, 2 * BROKERS_LIMIT));

        List<Delivery> fates = channel.deliver(TOPIC, batch);

        List<Delivery.Kind> kinds = new ArrayList<>(Collections.nCopies(20, Delivery.Kind.DELIVERED));
        kinds.set(7, Delivery.Kind.REFUSED);
        assertThat(fates).extracting(Delivery::kind).containsExactlyElementsOf(kinds);
    }

    @Test
    void leavesNoThreadsBehind() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        DeliveryChannel another = open(server.nameServerAddress());
        awaitDelivered(another, TOPIC);
        assertThat(Thread.getAllStackTraces()).hasSizeGreaterThan(before.size());

        another.close();

        ChannelFaults.awaitNoThreadsBesides(before);
    }

    private static DeliveryChannel open(String nameServers) {
        return ChannelConfig.open(
                new RocketMqChannelFactory(),
                Map.of("rocketmq.namesrv-addr", nameServers, "delivery.send-timeout", SEND_TIMEOUT.toMillis() + "ms"));
    }
}
