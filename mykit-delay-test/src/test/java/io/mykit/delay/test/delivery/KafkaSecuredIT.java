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
import io.mykit.delay.channel.kafka.KafkaChannelFactory;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.test.server.KafkaAccess;
import io.mykit.delay.test.server.KafkaServer;
import io.mykit.delay.test.server.TestCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A broker that speaks TLS only, demands an account, and checks its rights. */
@Tag("long")
class KafkaSecuredIT {
    private static final String PASSWORD = "s3nder-secret";
    private static final String WRONG = "not-the-secret";
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    private static Path dir;

    private static KafkaAccess access;
    private static KafkaServer server;

    @BeforeAll
    static void startServer() {
        access = new KafkaAccess("sender", PASSWORD, "shop.", TestCertificate.make(dir, "server", "ip:127.0.0.1"));
        server = KafkaServer.startSecured(dir, access);
        server.createTopic("shop.orders", 1, Map.of());
        server.createTopic("invoices", 1, Map.of());
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "scram-sha-512"})
    void anAccountThatMayOnlyWriteDeliversOverTls(String mechanism) {
        try (DeliveryChannel channel = open(Map.of("kafka.sasl-mechanism", mechanism));
                Inbox inbox = new KafkaInbox(server.innerAddress(), "shop.orders")) {
            ChannelFaults.awaitDelivered(channel, "shop/orders");
            List<Delivery> fates = channel.deliver("shop/orders", Messages.batch("shop/orders", 20, 100));
            assertThat(fates).containsOnly(Delivery.DELIVERED);
            ChannelFaults.awaitUp(channel);
            inbox.await(22, PATIENCE);
        }
    }

    @Test
    void theSameByPropertiesOfTheClientAlone() {
        Map<String, String> keys = new HashMap<>(Map.of(
                "kafka.username", "",
                "kafka.password", "",
                "kafka.tls", "false",
                "kafka.trust-store", "",
                "kafka.properties.security.protocol", "SASL_SSL",
                "kafka.properties.sasl.mechanism", "PLAIN",
                "kafka.properties.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"sender\" password=\""
                                + PASSWORD + "\";",
                "kafka.properties.ssl.truststore.location",
                        access.certificate().chain().toString(),
                "kafka.properties.ssl.truststore.type", "PEM"));
        try (DeliveryChannel channel = open(keys)) {
            ChannelFaults.awaitDelivered(channel, "shop/orders");
        }
    }

    @Test
    void certificatesMayBeInAStoreWithAPassword() {
        String store = access.certificate().store().toString();
        Map<String, String> keys = Map.of(
                "kafka.trust-store",
                store,
                "kafka.trust-store-password",
                TestCertificate.PASSWORD,
                "kafka.key-store",
                store,
                "kafka.key-store-password",
                TestCertificate.PASSWORD);
        try (DeliveryChannel channel = open(keys)) {
            ChannelFaults.awaitDelivered(channel, "shop/orders");
        }
    }

    @Test
    void aTopicThatTheAccountMayNotWriteToHoldsUpNoOther() {
        try (DeliveryChannel channel = open(Map.of())) {
            ChannelFaults.awaitDelivered(channel, "shop/orders");
            assertRefused(channel, "invoices", "denies permission", "mykit.delay.kafka.username");
            ChannelFaults.assertDelivered(channel, "shop/orders");
            ChannelFaults.awaitUp(channel);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "scram-sha-512"})
    void aWrongPasswordIsToldAndBlamesNoMessage(String mechanism) {
        try (DeliveryChannel channel = open(Map.of("kafka.password", WRONG, "kafka.sasl-mechanism", mechanism))) {
            assertRefused(channel, "shop/orders", "Authentication failed", "mykit.delay.kafka.username, .password");
            awaitDown(channel, "Authentication failed", "mykit.delay.kafka.username, .password");
        }
    }

    @Test
    void aCertificateThatIsNotTrustedIsRefused() {
        try (DeliveryChannel channel = open(Map.of("kafka.trust-store", ""))) {
            assertRefused(channel, "shop/orders", "unable to find valid certification path");
            awaitDown(channel, "unable to find valid certification path", ".trust-store");
        }
    }

    @Test
    void theCertificateOfAnotherHostIsRefusedUnlessHostsDoNotMatter() {
        String byName = server.address().replace("127.0.0.1", "localhost");
        try (DeliveryChannel channel = open(Map.of("kafka.bootstrap-servers", byName))) {
            assertRefused(channel, "shop/orders", "No name matching localhost");
        }
        try (DeliveryChannel channel =
                open(Map.of("kafka.bootstrap-servers", byName, "kafka.tls-verify-host", "false"))) {
            ChannelFaults.awaitDelivered(channel, "shop/orders");
        }
    }

    @Test
    void whatSpeaksInTheClearGetsNowhereAndIsToldWhereToLook() {
        Map<String, String> keys =
                Map.of("kafka.tls", "false", "kafka.trust-store", "", "kafka.username", "", "kafka.password", "");
        try (DeliveryChannel channel = open(keys)) {
            ChannelFaults.assertUnavailable(channel, "shop/orders", 2, 100);
            awaitDown(channel, "does not speak Kafka without TLS", "mykit.delay.kafka.tls");
        }
    }

    @Test
    void aStoreThatCannotBeReadIsAnErrorAtTheStart() {
        assertThatThrownBy(() -> open(Map.of("kafka.trust-store", "/no/such/file.pem")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mykit.delay.kafka.trust-store = /no/such/file.pem: there is no such file");
    }

    @Test
    void theClientsOwnLinesTellNoSecret() {
        Logger client = (Logger) LoggerFactory.getLogger("org.apache.kafka");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        client.setLevel(Level.TRACE);
        client.setAdditive(false);
        client.addAppender(lines);
        try (DeliveryChannel channel = open(Map.of());
                DeliveryChannel refused = open(Map.of("kafka.password", WRONG, "kafka.sasl-mechanism", "plain"))) {
            ChannelFaults.awaitDelivered(channel, "shop/orders");
            assertRefused(refused, "shop/orders", "Authentication failed");
        } finally {
            client.detachAppender(lines);
            client.setAdditive(true);
            client.setLevel(null);
        }
        assertThat(List.copyOf(lines.list))
                .isNotEmpty()
                .extracting(ILoggingEvent::getFormattedMessage)
                .noneMatch(line -> line.contains(PASSWORD) || line.contains(WRONG));
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
        assertThat(fates.get(0).detail()).doesNotContain(PASSWORD, WRONG);
        return fates.get(0).detail();
    }

    private static void awaitDown(DeliveryChannel channel, String... told) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            Health health = channel.health();
            assertThat(health.up()).isFalse();
            assertThat(health.details().get("reason").toString()).contains(told).doesNotContain(PASSWORD, WRONG);
        });
    }

    private static DeliveryChannel open(Map<String, String> changed) {
        Map<String, String> keys = new HashMap<>(Map.of(
                "kafka.bootstrap-servers",
                server.address(),
                "kafka.username",
                access.user(),
                "kafka.password",
                PASSWORD,
                "kafka.tls",
                "true",
                "kafka.trust-store",
                access.certificate().chain().toString(),
                "delivery.send-timeout",
                ChannelFaults.SEND_TIMEOUT.toMillis() + "ms"));
        keys.putAll(changed);
        return ChannelConfig.open(new KafkaChannelFactory(), keys);
    }
}
