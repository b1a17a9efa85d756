package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.channel.rocketmq.RocketMqChannelFactory;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.test.server.RocketMqAccess;
import io.mykit.delay.test.server.RocketMqServer;
import io.mykit.delay.test.server.TestCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A name server and a broker that speak TLS only, and a broker that checks accounts and their rights. */
@Tag("nightly")
class RocketMqSecuredIT {
    private static final String NAMESPACE = "shop";
    private static final String SENDER = "sender";
    private static final String SECRET = "s3nder-secret";
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    private static Path dir;

    private static RocketMqAccess operator;
    private static RocketMqServer server;

    @BeforeAll
    static void startServer() {
        operator =
                new RocketMqAccess("operator", "operator-secret", TestCertificate.make(dir, "server", "ip:127.0.0.1"));
        server = RocketMqServer.startSecured(dir, operator);
        server.createSender(SENDER, SECRET, NAMESPACE + "%orders");
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @Test
    void anAccountThatMayOnlySendDeliversIntoItsNamespace() {
        try (DeliveryChannel channel = open(Map.of());
                Inbox inbox = new RocketMqInbox(server.nameServerAddress(), "orders", operator, NAMESPACE)) {
            ChannelFaults.awaitDelivered(channel, "orders");
            List<Delivery> fates = channel.deliver("orders", Messages.batch("orders", 20, 100));
            assertThat(fates).containsOnly(Delivery.DELIVERED);
            ChannelFaults.awaitUp(channel);
            inbox.await(22, PATIENCE);
        }
    }

    @Test
    void theTrustedCertificateMayBeInAStoreWithAPassword() {
        Map<String, String> keys = Map.of(
                "rocketmq.trust-store",
                operator.certificate().store().toString(),
                "rocketmq.trust-store-password",
                TestCertificate.PASSWORD,
                "rocketmq.key-store",
                operator.certificate().store().toString(),
                "rocketmq.key-store-password",
                TestCertificate.PASSWORD);
        try (DeliveryChannel channel = open(keys)) {
            ChannelFaults.awaitDelivered(channel, "orders");
        }
    }

    @Test
    void aTopicThatTheAccountMayNotSendToHoldsUpNoOther() {
        try (DeliveryChannel channel = open(Map.of())) {
            ChannelFaults.awaitDelivered(channel, "orders");
            assertRefused(channel, "invoices", "denies permission", "rocketmq.access-key");
            ChannelFaults.assertDelivered(channel, "orders");
            ChannelFaults.awaitUp(channel);
        }
    }

    @Test
    void aWrongSecretIsToldAndBlamesNoMessage() {
        try (DeliveryChannel channel = open(Map.of("rocketmq.secret-key", "not-the-secret"))) {
            assertRefused(channel, "orders", "denies permission", "rocketmq.access-key", ".secret-key");
            assertDown(channel, "denies permission", "rocketmq.access-key");
        }
    }

    @Test
    void aMissingAccountIsToldAndBlamesNoMessage() {
        try (DeliveryChannel channel = open(Map.of("rocketmq.access-key", "", "rocketmq.secret-key", ""))) {
            assertRefused(channel, "orders", "denies permission", "rocketmq.access-key");
            assertDown(channel, "denies permission", "rocketmq.access-key");
        }
    }

    @Test
    void aCertificateThatNobodyVouchesForIsRefused() {
        try (DeliveryChannel channel = open(Map.of("rocketmq.trust-store", ""))) {
            assertRefused(channel, "orders", "TLS with 127.0.0.1", "unable to find valid certification path");
            assertDown(channel, "TLS with 127.0.0.1");
        }
    }

    @Test
    void theCertificateOfAnotherHostIsRefusedUnlessHostsDoNotMatter() {
        String byName = server.nameServerAddress().replace("127.0.0.1", "localhost");
        try (DeliveryChannel channel = open(Map.of("rocketmq.namesrv-addr", byName))) {
            assertRefused(channel, "orders", "TLS with localhost", "No name matching localhost");
            assertDown(channel, "TLS with localhost");
        }
        try (DeliveryChannel channel =
                open(Map.of("rocketmq.namesrv-addr", byName, "rocketmq.tls-verify-host", "false"))) {
            ChannelFaults.awaitDelivered(channel, "orders");
        }
    }

    @Test
    void whatSpeaksInTheClearGetsNowhere() {
        Map<String, String> keys = Map.of("rocketmq.tls", "false", "rocketmq.trust-store", "");
        try (DeliveryChannel channel = open(keys)) {
            ChannelFaults.assertUnavailable(channel, "orders", 2, 100);
            assertThat(channel.health().up()).isFalse();
        }
    }

    @Test
    void aStoreThatCannotBeReadIsAnErrorAtTheStart() {
        assertThatThrownBy(() -> open(Map.of("rocketmq.trust-store", "/no/such/file.pem")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mykit.delay.rocketmq.trust-store = /no/such/file.pem: there is no such file");
        Map<String, String> wrong = Map.of(
                "rocketmq.key-store",
                operator.certificate().store().toString(),
                "rocketmq.key-store-password",
                "wr0ng");
        assertThatThrownBy(() -> open(wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mykit.delay.rocketmq.key-store")
                .hasMessageNotContaining("wr0ng");
    }

    @Test
    void theClientsOwnLinesTellNoSecret() {
        Logger client = (Logger) LoggerFactory.getLogger("org.apache.rocketmq");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        client.setLevel(Level.TRACE);
        client.setAdditive(false);
        client.addAppender(lines);
        try (DeliveryChannel channel = open(Map.of());
                DeliveryChannel refused = open(Map.of("rocketmq.secret-key", "not-the-secret"))) {
            ChannelFaults.awaitDelivered(channel, "orders");
            assertRefused(refused, "orders", "denies permission");
        } finally {
            client.detachAppender(lines);
            client.setAdditive(true);
            client.setLevel(null);
        }
        assertThat(List.copyOf(lines.list))
                .isNotEmpty()
                .extracting(ILoggingEvent::getFormattedMessage)
                .noneMatch(line -> line.contains(SECRET) || line.contains("not-the-secret"));
    }

    /** Every message is unavailable, and why is said without a secret. */
    private static void assertRefused(DeliveryChannel channel, String topic, String... told) {
        for (int size : new int[] {1, 20}) {
            ChannelFaults.awaitTold(() -> refusal(channel, topic, size), told);
        }
    }

    private static String refusal(DeliveryChannel channel, String topic, int size) {
        List<Delivery> fates = channel.deliver(topic, Messages.batch(topic, size, 100));
        assertThat(fates).hasSize(size).extracting(Delivery::kind).containsOnly(Delivery.Kind.UNAVAILABLE);
        assertThat(fates.get(0).detail()).doesNotContain(SECRET, "not-the-secret");
        return fates.get(0).detail();
    }

    private static void assertDown(DeliveryChannel channel, String... told) {
        ChannelFaults.awaitTold(
                () -> {
                    Health health = channel.health();
                    assertThat(health.up()).isFalse();
                    String reason = health.details().get("reason").toString();
                    assertThat(reason).doesNotContain(SECRET, "not-the-secret");
                    return reason;
                },
                told);
    }

    private static DeliveryChannel open(Map<String, String> changed) {
        Map<String, String> keys = new HashMap<>(Map.of(
                "rocketmq.namesrv-addr",
                server.nameServerAddress(),
                "rocketmq.access-key",
                SENDER,
                "rocketmq.secret-key",
                SECRET,
                "rocketmq.namespace",
                NAMESPACE,
                "rocketmq.tls",
                "true",
                "rocketmq.trust-store",
                operator.certificate().chain().toString(),
                "delivery.send-timeout",
                ChannelFaults.SEND_TIMEOUT.toMillis() + "ms"));
        keys.putAll(changed);
        return ChannelConfig.open(new RocketMqChannelFactory(), keys);
    }
}
