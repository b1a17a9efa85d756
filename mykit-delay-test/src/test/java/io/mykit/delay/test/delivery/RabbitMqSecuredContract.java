package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.TestCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A broker of AMQP 0-9-1 with accounts and TLS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RabbitMqSecuredContract {
    static final String SECRET = "not-the-secret";
    /** Without a queue: a message that is returned shows that the broker let the account in. */
    private static final String TOPIC = "orders";

    private TestCertificate certificate;
    private AmqpBroker broker;

    /** Starts a broker with the account guest. */
    protected abstract AmqpBroker start(Path dir, TestCertificate certificate);

    /** The port that speaks TLS. */
    protected abstract int tlsPort();

    @BeforeAll
    final void startBroker(@TempDir Path dir) {
        certificate = TestCertificate.make(dir, "broker", "ip:127.0.0.1");
        broker = start(dir, certificate);
    }

    @AfterAll
    final void closeBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void theTrustedBrokerIsUsed() {
        try (DeliveryChannel channel = open(Map.of())) {
            assertThat(channel.deliver(TOPIC, Messages.batch(TOPIC, 1, 10))
                            .get(0)
                            .kind())
                    .isEqualTo(Delivery.Kind.UNAVAILABLE);
            ChannelFaults.awaitUp(channel);
            assertThat(channel.health().details()).containsKeys("broker", "channels");
        }
    }

    @Test
    void aWrongPasswordIsToldAndBlamesNoMessage() {
        Map<String, String> keys = Map.of("username", "guest", "password", SECRET);
        try (DeliveryChannel channel = open(keys)) {
            assertDown(channel, "refuses the account", "mykit.delay.rabbitmq.username", ".password");
        }
    }

    @Test
    void aVirtualHostThatIsMissingIsToldAndBlamesNoMessage() {
        try (DeliveryChannel channel = open(Map.of("virtual-host", "nowhere"))) {
            assertDown(channel, "refuses the virtual host", "mykit.delay.rabbitmq.virtual-host = nowhere");
        }
    }

    @Test
    void aCertificateThatNobodyVouchesForIsRefused() {
        try (DeliveryChannel channel = open(Map.of("trust-store", ""))) {
            assertDown(channel, "TLS failed", "unable to find valid certification path");
        }
    }

    @Test
    void theCertificateOfAnotherHostIsRefusedUnlessHostsDoNotMatter() {
        Map<String, String> byName = Map.of("addresses", "localhost:" + tlsPort());
        try (DeliveryChannel channel = open(byName)) {
            assertDown(channel, "TLS failed", "No name matching localhost");
        }
        Map<String, String> anyHost = new HashMap<>(byName);
        anyHost.put("tls-verify-host", "false");
        try (DeliveryChannel channel = open(anyHost)) {
            ChannelFaults.awaitUp(channel);
        }
    }

    @Test
    void whatSpeaksInTheClearGetsNowhere() {
        try (DeliveryChannel channel = open(Map.of("tls", "false", "trust-store", ""))) {
            ChannelFaults.assertUnavailable(channel, TOPIC, 2, 100);
            assertThat(channel.health().up()).isFalse();
        }
    }

    /** The close of a TLS socket waits for a write by itself. */
    @Test
    void aWriteThatHangsEndsAtTheSendTimeoutAndLeavesNoThread() {
        try (DeliveryChannel channel = open(Map.of())) {
            ChannelFaults.awaitUp(channel);
            broker.freeze();
            ChannelFaults.assertUnavailable(channel, TOPIC, 200, 80_000);
            assertThat(channel.health().up()).isFalse();
        } finally {
            broker.thaw();
        }
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(
                        Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("rabbitmq-")));
    }

    @Test
    void theClientsOwnLinesTellNoSecret() {
        Logger client = (Logger) LoggerFactory.getLogger("com.rabbitmq");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        client.setLevel(Level.TRACE);
        client.setAdditive(false);
        client.addAppender(lines);
        Map<String, String> keys = Map.of("username", "guest", "password", SECRET);
        try (DeliveryChannel channel = open(keys)) {
            assertDown(channel, "refuses the account");
        } finally {
            client.detachAppender(lines);
            client.setAdditive(true);
            client.setLevel(null);
        }
        assertThat(List.copyOf(lines.list))
                .extracting(ILoggingEvent::getFormattedMessage)
                .noneMatch(line -> line.contains(SECRET));
    }

    /** Each message is unavailable and not sent, and the reason is told without a secret; also in the health. */
    private static void assertDown(DeliveryChannel channel, String... told) {
        for (int size : new int[] {1, 20}) {
            ChannelFaults.awaitTold(() -> refusal(channel, size), told);
        }
        ChannelFaults.awaitTold(
                () -> {
                    Health health = channel.health();
                    assertThat(health.up()).isFalse();
                    String reason = health.details().get("reason").toString();
                    assertThat(reason).doesNotContain(SECRET);
                    return reason;
                },
                told);
    }

    private static String refusal(DeliveryChannel channel, int size) {
        List<Delivery> fates = channel.deliver(TOPIC, Messages.batch(TOPIC, size, 100));
        assertThat(fates).hasSize(size).allMatch(fate -> fate.kind() == Delivery.Kind.UNAVAILABLE && fate.unsent());
        assertThat(fates.get(0).detail()).doesNotContain(SECRET);
        return fates.get(0).detail();
    }

    private DeliveryChannel open(Map<String, String> changed) {
        Map<String, String> keys = new HashMap<>(
                Map.of("tls", "true", "trust-store", certificate.chain().toString()));
        keys.putAll(changed);
        String addresses = keys.getOrDefault("addresses", "127.0.0.1:" + tlsPort());
        return AmqpChannels.open(addresses, keys);
    }
}
