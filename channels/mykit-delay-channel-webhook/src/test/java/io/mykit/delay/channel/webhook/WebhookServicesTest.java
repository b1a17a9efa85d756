package io.mykit.delay.channel.webhook;

import static io.mykit.delay.channel.webhook.TestChannels.message;
import static io.mykit.delay.channel.webhook.TestChannels.open;
import static io.mykit.delay.channel.webhook.TestChannels.send;
import static io.mykit.delay.channel.webhook.TestChannels.toTarget;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.hosts.HostResolver;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests to the instances of services. */
class WebhookServicesTest {
    private static final String URL = "service://shop/hook?a=b";

    @Test
    void theInstancesOfAServiceTakeTurns() throws Exception {
        try (TestReceiver one = TestReceiver.answering(200);
                TestReceiver other = TestReceiver.answering(200);
                AsyncDeliveryChannel channel =
                        open("url", URL, "services", shop(one, other), "secret", TestChannels.SECRET)) {
            for (int i = 0; i < 10; i++) {
                assertThat(send(channel, message("m" + i))).isEqualTo(Delivery.DELIVERED);
            }
            assertThat(one.requests()).hasSize(5);
            assertThat(other.requests()).hasSize(5).allSatisfy(got -> {
                assertThat(got.uri()).isEqualTo("/hook?a=b");
                assertThat(got.header("host")).isEqualTo("127.0.0.1:" + other.port());
                assertThat(got.header("webhook-signature")).startsWith("v1,");
            });
        }
    }

    @Test
    void withoutAConnectionTheNextInstanceGetsTheSameAttempt() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        HostResolver gone = host -> {
            lookups.incrementAndGet();
            throw new UnknownHostException(host);
        };
        try (TestReceiver well = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open(
                        gone,
                        "url",
                        URL,
                        "services",
                        shop(well) + " http://127.0.0.1:" + ClosedPorts.next() + " http://gone.example",
                        "circuit-failures",
                        "2")) {
            int delivered = 0;
            for (int i = 0; i < 30; i++) {
                Delivery fate = send(channel, message("m" + i));
                // Both dead instances may be tried before their circuits open. This costs no attempt.
                assertThat(fate.kind()).as(fate.detail()).isIn(Delivery.Kind.DELIVERED, Delivery.Kind.UNAVAILABLE);
                delivered += fate.kind() == Delivery.Kind.DELIVERED ? 1 : 0;
            }
            assertThat(delivered).isGreaterThanOrEqualTo(28);
            assertThat(well.requests()).hasSize(delivered);
            assertThat(lookups)
                    .as("an instance with an open circuit is passed over")
                    .hasValue(2);
            assertThat(channel.health().details()).containsEntry("openCircuits", 2L);
        }
    }

    @Test
    void aRequestThatWasSentGoesToNoOtherInstance() throws Exception {
        try (TestReceiver ill = TestReceiver.answering(500);
                TestReceiver other = TestReceiver.answering(500);
                RawReceiver hangingUp =
                        new RawReceiver(socket -> socket.getInputStream().read());
                AsyncDeliveryChannel channel = open("url", URL, "services", shop(ill, other));
                AsyncDeliveryChannel lone =
                        open("url", URL, "services", "shop=" + hangingUp.url() + " " + hangingUp.url())) {
            assertThat(send(channel, message("1")))
                    .satisfies(fate -> assertThat(fate.kind()).isEqualTo(Delivery.Kind.FAILED))
                    .satisfies(fate -> assertThat(fate.detail()).matches("shop at http://127.0.0.1:\\d+: HTTP 500"));
            assertThat(ill.requests().size() + other.requests().size()).isEqualTo(1);
            assertThat(send(lone, message("1")).kind()).isEqualTo(Delivery.Kind.UNCLEAR);
            assertThat(hangingUp.connections()).isEqualTo(1);
        }
    }

    @Test
    void anInstanceThatFailsAllTheTimeIsPassedOver() throws Exception {
        try (TestReceiver ill = TestReceiver.answering(500);
                TestReceiver well = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open("url", URL, "services", shop(ill, well), "circuit-failures", "3")) {
            for (int i = 0; i < 20; i++) {
                send(channel, message("m" + i));
            }
            assertThat(ill.requests()).hasSize(3);
            assertThat(well.requests()).hasSize(17);
        }
    }

    /** As for a URL of one host: each message gets its attempt, and a circuit holds none up. */
    @Test
    void ifAllInstancesFailTheTopicsMessagesAreSentAllTheSame() throws Exception {
        try (TestReceiver one = TestReceiver.answering(500);
                TestReceiver other = TestReceiver.answering(500);
                AsyncDeliveryChannel channel =
                        open("url", URL, "services", shop(one, other), "circuit-failures", "1")) {
            for (int i = 0; i < 8; i++) {
                assertThat(send(channel, message("m" + i)).kind()).isEqualTo(Delivery.Kind.FAILED);
            }
            assertThat(one.requests().size() + other.requests().size()).isEqualTo(8);
        }
    }

    @Test
    void aTargetMayNameAServiceThatAPatternAllows() throws Exception {
        try (TestReceiver shop = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open(
                        "targets", "service://shop http://*", "services", shop(shop) + ", stock=http://10.0.0.1")) {
            // 127.0.0.1 is closed for targets. The registry is the operator's.
            assertThat(send(channel, toTarget("1", "url", "service://SHOP/x", "method", "put")))
                    .isEqualTo(Delivery.DELIVERED);
            assertThat(shop.requests().get(0).method()).isEqualTo("PUT");
            assertThat(channel.forbiddenTarget(toTarget("1", "url", "service://stock/")))
                    .contains(
                            "target.url is not allowed: no pattern of webhook.targets allows it; an operator can add a"
                                    + " pattern for service://stock");
            assertThat(send(channel, toTarget("1", "url", "service://stock/")).kind())
                    .isEqualTo(Delivery.Kind.FAILED);
        }
    }

    @Test
    void aTargetMayNotNameAnUnknownService() {
        try (AsyncDeliveryChannel channel = open("targets", "service://*")) {
            assertThat(channel.objection(toTarget("1", "url", "service://shop/x")))
                    .isEmpty();
            assertThat(channel.forbiddenTarget(toTarget("1", "url", "service://shop/x")))
                    .contains("target.url is not allowed: the service shop is unknown; an operator can add it to"
                            + " webhook.services, or set webhook.discovery");
        }
    }

    @Test
    void theCircuitsOfATargetsInstancesDeferIt() throws Exception {
        try (TestReceiver one = TestReceiver.answering(500);
                AsyncDeliveryChannel channel =
                        open("targets", "service://*", "services", shop(one), "circuit-failures", "1")) {
            assertThat(send(channel, toTarget("1", "url", URL)).kind()).isEqualTo(Delivery.Kind.FAILED);
            Delivery deferred = send(channel, toTarget("1", "url", URL));
            assertThat(deferred.kind()).isEqualTo(Delivery.Kind.DEFERRED);
            assertThat(deferred.retryAfter()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(38));
        }
    }

    @Test
    void withoutInstancesTheTopicWaitsAndATargetIsCounted() throws Exception {
        try (TestReceiver eureka = TestReceiver.answering(404);
                AsyncDeliveryChannel channel = open(
                        "url",
                        URL,
                        "targets",
                        "service://*",
                        "discovery",
                        "eureka",
                        "eureka-url",
                        "http://127.0.0.1:" + eureka.port() + "/eureka")) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.notSent("service://shop: no instance"));
            assertThat(send(channel, toTarget("1", "url", URL)))
                    .isEqualTo(Delivery.failed("service://shop: no instance"));
            assertThat(eureka.requests()).hasSize(1);
            assertThat(channel.health().details()).containsEntry("lastFailure", "service://shop: no instance");
        }
    }

    @Test
    void withoutARegistryTheTopicWaits() throws Exception {
        try (AsyncDeliveryChannel channel = open(
                "url",
                URL,
                "discovery",
                "eureka",
                "eureka-url",
                "http://user:hush-hush@127.0.0.1:" + ClosedPorts.next() + "/eureka")) {
            Delivery fate = send(channel, message("1"));
            assertThat(fate.kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
            assertThat(fate.detail())
                    .startsWith(
                            "service://shop: no answer of the registry: IllegalStateException: Eureka at http://127.0.0.1:")
                    .doesNotContain("hush");
        }
    }

    @Test
    void aClosedChannelDecidesTheFate() throws Exception {
        try (TestReceiver one = TestReceiver.answering(200)) {
            AsyncDeliveryChannel channel = open("url", URL, "services", shop(one));
            channel.close();
            assertThat(send(channel, message("1")).kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
        }
    }

    private static String shop(TestReceiver... receivers) {
        return "shop="
                + String.join(
                        " ",
                        List.of(receivers).stream()
                                .map(receiver -> "http://127.0.0.1:" + receiver.port())
                                .toList());
    }
}
