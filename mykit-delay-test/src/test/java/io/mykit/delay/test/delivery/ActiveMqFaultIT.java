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
import io.mykit.delay.channel.activemq.ActiveMqChannelFactory;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.server.ActiveMqServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that is killed and frozen, and that refuses a destination and a message. */
@Tag("long")
class ActiveMqFaultIT {
    private static final String USER = "mykit";
    private static final String PASSWORD = "s3cret-" + UUID.randomUUID();
    private static final int FRAME = 200_000;
    private static final String PLAIN = "%s";
    private static final String FAILOVER = "failover:(%s)";

    @TempDir
    private static Path dir;

    private static ActiveMqServer server;

    @BeforeAll
    static void startServer() {
        server = ActiveMqServer.start(
                dir, "?wireFormat.maxInactivityDuration=4000&wireFormat.maxFrameSize=" + FRAME, USER, PASSWORD);
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, FAILOVER})
    void aKilledBrokerIsUnavailableAndThenThereAgain(String url) {
        try (DeliveryChannel channel = open(url, server, PASSWORD)) {
            assertDelivered(channel, "orders");
            server.kill();

            assertUnavailable(channel, "orders", 20, 100);
            assertUnavailable(channel, "others", 20, 100);
            assertHealth(channel, false);

            server.restart();
            awaitDelivered(channel, "orders");
            assertHealth(channel, true);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, FAILOVER})
    void aFrozenBrokerIsUnavailableAndThenThereAgain(String url) {
        try (DeliveryChannel channel = open(url, server, PASSWORD)) {
            assertDelivered(channel, "orders");
            server.freeze();
            try {
                assertUnavailable(channel, "orders", 1, 100);
                // More than fits into the sockets' buffers: the send itself is stuck.
                assertUnavailable(channel, "orders", 60, 150_000);
                assertHealth(channel, false);
            } finally {
                server.thaw();
            }
            awaitDelivered(channel, "orders");
            awaitUp(channel);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, FAILOVER})
    void closesWhileTheBrokerIsFrozen(String url) {
        DeliveryChannel channel = open(url, server, PASSWORD);
        assertDelivered(channel, "orders");
        server.freeze();
        try {
            long before = System.nanoTime();
            channel.close();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
        } finally {
            server.thaw();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, FAILOVER})
    void opensWhileNobodyIsThere(String url) {
        String name = "later-" + url.length();
        try (ActiveMqServer later = ActiveMqServer.prepare(dir.resolve(name), "", "", "");
                DeliveryChannel early = open(url, later, "")) {
            assertUnavailable(early, "early", 2, 100);
            assertHealth(early, false);

            later.restart();
            awaitDelivered(early, "early");
            assertHealth(early, true);
        }
    }

    @Test
    void aDestinationThatIsForbiddenHoldsUpNoOther() {
        try (DeliveryChannel channel = open(PLAIN, server, PASSWORD)) {
            assertUnavailable(channel, "closed.orders", 5, 100);
            assertDelivered(channel, "orders");
            assertHealth(channel, true);
        }
    }

    @Test
    void aDestinationThatIsFullHoldsUpNoOtherAndTakesAgainWhenItIsEmptied() {
        String full = "full." + UUID.randomUUID();
        try (DeliveryChannel channel = open(PLAIN, server, PASSWORD)) {
            assertUnavailable(channel, full, 10, 30_000);
            assertDelivered(channel, "orders");
            assertHealth(channel, true);

            DelayMessage one = Messages.batch(full, 1, 60_000).get(0);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> channel.deliver(full, List.of(one, one)).get(0).kind() != Delivery.Kind.DELIVERED);
            try (Inbox inbox = ActiveMqInbox.ofQueue(server.url(), full, USER, PASSWORD)) {
                awaitDelivered(channel, full);
                inbox.await(2, Duration.ofSeconds(10));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, FAILOVER})
    void aMessageTooLargeForTheBrokerIsRefusedAndTheOthersGo(String url) {
        try (DeliveryChannel channel = open(url, server, PASSWORD)) {
            List<DelayMessage> batch = new ArrayList<>(Messages.batch("orders", 20, 100));
            batch.set(7, Messages.batch("orders", 1, FRAME + 1).get(0));

            List<Delivery> fates = channel.deliver("orders", batch);

            List<Delivery.Kind> kinds = new ArrayList<>(Collections.nCopies(20, Delivery.Kind.DELIVERED));
            kinds.set(7, Delivery.Kind.REFUSED);
            assertThat(fates).extracting(Delivery::kind).containsExactlyElementsOf(kinds);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 19})
    void aMessageThatTheBrokerChokesOnFailsAndTheOthersGo(int place) {
        try (DeliveryChannel channel = open(PLAIN, server, PASSWORD)) {
            List<DelayMessage> batch = new ArrayList<>(Messages.batch("orders", 20, 100));
            batch.set(place, Messages.message("poison", "orders", "", "", "x"));

            List<Delivery> fates = channel.deliver("orders", batch);

            List<Delivery.Kind> kinds = new ArrayList<>(Collections.nCopies(20, Delivery.Kind.DELIVERED));
            kinds.set(place, Delivery.Kind.FAILED);
            assertThat(fates).extracting(Delivery::kind).containsExactlyElementsOf(kinds);
            assertThat(fates.get(place).detail()).contains("does not like poison");
        }
    }

    @Test
    void aWrongPasswordIsUnavailableAndShownNowhere() {
        String wrong = "wr0ng-" + UUID.randomUUID();
        try (DeliveryChannel channel = open(PLAIN, server, wrong)) {
            List<Delivery> fates = channel.deliver("orders", Messages.batch("orders", 1, 10));

            assertThat(fates).extracting(Delivery::kind).containsExactly(Delivery.Kind.UNAVAILABLE);
            assertThat(fates.toString() + channel.health()).doesNotContain(wrong);
        }
    }

    @Test
    void leavesNoThreadsBehind() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        DeliveryChannel channel = open(PLAIN, server, PASSWORD);
        assertDelivered(channel, "orders");
        assertThat(Thread.getAllStackTraces()).hasSizeGreaterThan(before.size());

        channel.close();

        ChannelFaults.awaitNoThreadsBesides(before);
    }

    private static DeliveryChannel open(String url, ActiveMqServer broker, String password) {
        return ChannelConfig.open(
                new ActiveMqChannelFactory(),
                Map.of(
                        "activemq.broker-url",
                        String.format(url, broker.url()),
                        "activemq.username",
                        USER,
                        "activemq.password",
                        password.isEmpty() ? "any" : password,
                        "delivery.send-timeout",
                        SEND_TIMEOUT.toMillis() + "ms"));
    }
}
