package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.activemq.ActiveMqChannelFactory;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.TestCertificate;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that speaks TLS and asks for a password. */
@Tag("long")
class ActiveMqTlsIT {
    private static final String USER = "mykit";
    private static final String PASSWORD = "tls-s3cret";
    private static final String PLAIN = "%s";
    private static final String FAILOVER = "failover:(%s)";

    @TempDir
    private static Path dir;

    private static TestCertificate certificate;
    private static ActiveMqServer server;

    @BeforeAll
    static void startServer() {
        certificate = TestCertificate.make(dir, "broker", "ip:127.0.0.1");
        server = ActiveMqServer.startTls(dir, certificate, USER, PASSWORD);
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, FAILOVER})
    void deliversToABrokerThatTheTrustStoreVouchesFor(String form) {
        try (DeliveryChannel channel = open(form.formatted(server.url()), Map.of())) {
            ChannelFaults.awaitDelivered(channel, "orders");
            ChannelFaults.awaitUp(channel);
        }
    }

    @Test
    void takesStoresWithPasswordsAndOptionsOfTheUrl() {
        String url = "failover:(" + server.url() + "?socket.tcpNoDelay=true&socket.enabledProtocols=TLSv1.3)";
        Map<String, String> keys = Map.of(
                "activemq.trust-store",
                certificate.store().toString(),
                "activemq.trust-store-password",
                TestCertificate.PASSWORD,
                "activemq.key-store",
                certificate.store().toString(),
                "activemq.key-store-password",
                TestCertificate.PASSWORD);
        try (DeliveryChannel channel = open(url, keys)) {
            ChannelFaults.awaitDelivered(channel, "orders");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, FAILOVER})
    void aCertificateThatNobodyVouchesForIsRefused(String form) {
        try (DeliveryChannel channel = open(form.formatted(server.url()), Map.of("activemq.trust-store", ""))) {
            assertRefused(channel, form.equals(PLAIN) ? "PKIX path" : "no confirmation");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, FAILOVER})
    void theCertificateOfAnotherHostIsRefused(String form) {
        String byName = server.url().replace("127.0.0.1", "localhost");
        try (DeliveryChannel channel = open(form.formatted(byName), Map.of())) {
            assertRefused(channel, form.equals(PLAIN) ? "localhost" : "no confirmation");
        }
        // Said in the URL, and for this URL alone.
        try (DeliveryChannel channel = open(form.formatted(byName + "?socket.verifyHostName=false"), Map.of())) {
            ChannelFaults.awaitDelivered(channel, "orders");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, FAILOVER})
    void aWrongPasswordIsToldAndBlamesNoMessage(String form) {
        try (DeliveryChannel channel =
                open(form.formatted(server.url()), Map.of("activemq.password", "not-the-password"))) {
            assertRefused(channel, "password is invalid");
            assertThat(channel.health().details().toString())
                    .contains("password is invalid")
                    .doesNotContain("not-the-password");
        }
    }

    @Test
    void aStoreThatCannotBeReadIsAnErrorAtTheStart() {
        assertThatThrownBy(() -> open(server.url(), Map.of("activemq.trust-store", "/no/such/file.pem")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mykit.delay.activemq.trust-store = /no/such/file.pem: there is no such file");
    }

    /** The client has two threads that may meet the failure first; one of them only sees that the connection is closed. */
    private static void assertRefused(DeliveryChannel channel, String told) {
        for (int size : new int[] {1, 20}) {
            String detail = refusal(channel, size);
            for (int again = 0; again < 20 && !detail.contains(told); again++) {
                detail = refusal(channel, size);
            }
            assertThat(detail).contains(told);
        }
        assertThat(channel.health().up()).isFalse();
    }

    private static String refusal(DeliveryChannel channel, int size) {
        List<Delivery> fates = channel.deliver("orders", Messages.batch("orders", size, 100));
        assertThat(fates).hasSize(size).extracting(Delivery::kind).containsOnly(Delivery.Kind.UNAVAILABLE);
        String detail = fates.get(0).detail();
        assertThat(detail).doesNotContain(PASSWORD, "not-the-password");
        return detail;
    }

    private static DeliveryChannel open(String url, Map<String, String> changed) {
        Map<String, String> keys = new HashMap<>(Map.of(
                "activemq.broker-url", url,
                "activemq.username", USER,
                "activemq.password", PASSWORD,
                "activemq.trust-store", certificate.chain().toString(),
                "delivery.send-timeout", ChannelFaults.SEND_TIMEOUT.toMillis() + "ms"));
        keys.putAll(changed);
        return ChannelConfig.open(new ActiveMqChannelFactory(), keys);
    }
}
