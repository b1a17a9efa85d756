package io.mykit.delay.channel.webhook;

import static io.mykit.delay.channel.webhook.TestChannels.message;
import static io.mykit.delay.channel.webhook.TestChannels.open;
import static io.mykit.delay.channel.webhook.TestChannels.send;
import static io.mykit.delay.channel.webhook.TestChannels.toTarget;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.hosts.HostResolver;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookTargetsTest {
    private static final String LOCAL = "http://127.0.0.0/8";

    @Test
    void aMessageGoesToItsTarget() throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open("targets", LOCAL)) {
            assertThat(send(channel, toTarget("1", "url", receiver.url(), "method", "put")))
                    .isEqualTo(Delivery.DELIVERED);
            assertThat(receiver.requests().get(0).method()).isEqualTo("PUT");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "method=POST                          | target.url is missing",
                "url=http://a.com/,path=/x            | target.path is unknown: a target has url and method",
                "url=http://a.com/,method=TRACE       | target.method must be one of POST, PUT, PATCH, DELETE, GET",
                "url=ftp://a.com/                     | target.url must begin with http://, https:// or service://",
                "url=http://u:p@a.com/                | target.url must not have a user or a password; a header can"
                        + " carry them",
                "url=http://a.com/#x                  | target.url must not have a fragment (#...)",
                "url=service:///x                     | target.url has no name of a service: 1 to 100 letters, digits,"
                        + " hyphens, underscores and dots; the first and the last are letters or digits",
                "url=service://u@shop/                | target.url must not have a user or a password; a header can"
                        + " carry them",
                "url=http://127.1/                    | target.url has no host that is a DNS name (letters, digits,"
                        + " hyphens, dots) or an address"
            })
    void aBadTargetIsRefusedAtPush(String target, String objection) {
        String[] named = target.split("[=,]", -1);
        try (AsyncDeliveryChannel channel = open("targets", "http://*")) {
            assertThat(channel.objection(toTarget("1", named))).contains(objection);
        }
    }

    /** The path and the query may hold secrets. */
    @Test
    void theDestinationIsTheReceiverAlone() {
        try (AsyncDeliveryChannel channel =
                open("url", "https://hooks.example.com/s3cret?key=s3cret", "targets", "http://*")) {
            assertThat(channel.destination(message("1"))).contains("https://hooks.example.com:443");
            assertThat(channel.destination(toTarget("2", "url", "http://a.com:8080/s3cret")))
                    .contains("http://a.com:8080");
            assertThat(channel.destination(toTarget("3", "url", "service://shop/s3cret")))
                    .contains("service://shop");
            // The settings may have changed since the push.
            assertThat(channel.destination(toTarget("4", "url", "ftp://a.com/")))
                    .isEmpty();
        }
        try (AsyncDeliveryChannel channel = open()) {
            assertThat(channel.destination(message("1"))).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://10.0.0.1/x?token=y, http://10.0.0.1:80",
        "https://b.com/, https://b.com:443",
        "http://[::ffff:169.254.169.254]/, http://[::ffff:169.254.169.254]:80"
    })
    void aTargetThatNoPatternAllowsIsForbiddenAtPush(String url, String receiver) {
        try (AsyncDeliveryChannel channel = open("targets", "http://*")) {
            assertThat(channel.objection(toTarget("1", "url", url))).isEmpty();
            assertThat(channel.forbiddenTarget(toTarget("1", "url", url)))
                    .contains(
                            "target.url is not allowed: no pattern of webhook.targets allows it; an operator can add a"
                                    + " pattern for " + receiver);
            assertThat(channel.forbiddenTarget(toTarget("1", "url", "http://b.com/")))
                    .isEmpty();
        }
    }

    @Test
    void withoutTargetsAMessageMayNameNone() {
        try (AsyncDeliveryChannel channel = open("url", "http://a.com/")) {
            assertThat(channel.forbiddenTarget(toTarget("1", "url", "http://b.com/")))
                    .contains("target.url is not allowed: webhook.targets is empty; an operator can add a pattern for"
                            + " http://b.com:80");
            assertThat(channel.objection(message("1"))).isEmpty();
        }
        try (AsyncDeliveryChannel channel = open("targets", "http://*")) {
            assertThat(channel.objection(message("1")))
                    .contains(
                            "target is missing, and neither webhook.url nor webhook.topics.callbacks.url is configured");
        }
    }

    @Test
    void aTargetThatBecameForbiddenFailsAndIsNotSent() throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open("targets", "https://*.example.com")) {
            assertThat(send(channel, toTarget("1", "url", receiver.url())).kind())
                    .isEqualTo(Delivery.Kind.FAILED);
            assertThat(send(channel, toTarget("1", "url", "ftp://x")).kind()).isEqualTo(Delivery.Kind.REFUSED);
            assertThat(receiver.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "64:ff9b::7f00:1", "2002:7f00:1::"})
    void aNameThatPointsToAClosedAddressIsNotConnected(String address) throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel =
                        open(host -> List.of(InetAddress.getAllByName(address)), "targets", "http://*")) {
            assertThat(send(channel, toTarget("1", "url", "http://rebound.example:" + receiver.port() + "/")))
                    .isEqualTo(Delivery.failed("address not allowed: webhook.targets does not open it"));
            assertThat(receiver.requests()).isEmpty();
        }
    }

    @Test
    void oneClosedAddressAmongPublicOnesForbidsTheTarget() throws Exception {
        HostResolver both =
                host -> List.of(InetAddress.getAllByName("93.184.216.34")[0], InetAddress.getLoopbackAddress());
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open(both, "targets", "http://*")) {
            assertThat(send(channel, toTarget("1", "url", "http://both.example:" + receiver.port() + "/"))
                            .detail())
                    .startsWith("address not allowed");
            assertThat(receiver.requests()).isEmpty();
        }
    }

    @Test
    void aNameIsLookedUpOnceForEachAttemptAndCheckedEachTime() throws Exception {
        AtomicReference<String> address = new AtomicReference<>("127.0.0.1");
        List<String> lookups = new ArrayList<>();
        HostResolver changing = host -> {
            lookups.add(host);
            return List.of(InetAddress.getAllByName(address.getAndSet("10.0.0.1")));
        };
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open(changing, "targets", LOCAL)) {
            String url = "http://changing.example:" + receiver.port() + "/";
            assertThat(send(channel, toTarget("1", "url", url))).isEqualTo(Delivery.DELIVERED);
            assertThat(send(channel, toTarget("2", "url", url)).detail()).startsWith("address not allowed");

            assertThat(lookups).containsExactly("changing.example", "changing.example");
            assertThat(receiver.requests()).singleElement().satisfies(got -> assertThat(got.header("host"))
                    .isEqualTo("changing.example:" + receiver.port()));
        }
    }

    @Test
    void anIpv6AddressIsReached() throws Exception {
        InetAddress here = InetAddress.getAllByName("::1")[0];
        assumeTrue(NetworkInterface.getByInetAddress(here) != null, "this machine has no IPv6");
        try (TestReceiver receiver = new TestReceiver(exchange -> TestReceiver.answer(exchange, 200), here);
                AsyncDeliveryChannel channel = open("targets", "http://[::1]")) {
            assertThat(send(channel, toTarget("1", "url", "http://[::1]:" + receiver.port() + "/")))
                    .isEqualTo(Delivery.DELIVERED);
            assertThat(receiver.requests().get(0).header("host")).isEqualTo("[::1]:" + receiver.port());
        }
    }

    @Test
    void theUrlOfTheSectionIsFree() throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel =
                        open("url", "http://localhost:" + receiver.port() + "/", "targets", "https://*.example.com")) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.DELIVERED);
        }
    }

    @Test
    void redirectsAreNotFollowed() throws Exception {
        try (TestReceiver secret = TestReceiver.answering(200);
                TestReceiver receiver = TestReceiver.answering(302, "location", secret.url());
                AsyncDeliveryChannel channel = open("targets", LOCAL)) {
            assertThat(send(channel, toTarget("1", "url", receiver.url()))).isEqualTo(Delivery.failed("HTTP 302"));
            assertThat(secret.requests()).isEmpty();
        }
    }

    @Test
    void troubleOfAnOwnTargetCountsForTheMessage() throws Exception {
        try (TestReceiver busy = TestReceiver.answering(429, "retry-after", "7");
                RawReceiver broken = new RawReceiver(socket -> {});
                AsyncDeliveryChannel channel = open("targets", LOCAL)) {
            assertThat(send(channel, toTarget("1", "url", busy.url())))
                    .isEqualTo(Delivery.failed("HTTP 429, Retry-After 7 s").retryAfter(Duration.ofSeconds(7)));
            assertThat(send(channel, toTarget("2", "url", broken.url())).kind()).isEqualTo(Delivery.Kind.FAILED);
            assertThat(send(channel, toTarget("3", "url", ClosedPorts.url())).kind())
                    .isEqualTo(Delivery.Kind.FAILED);
        }
    }

    @Test
    void aHostThatFailsAllTheTimeGetsNoMoreRequests() throws Exception {
        try (TestReceiver ill = TestReceiver.answering(500);
                TestReceiver well = TestReceiver.answering(200);
                AsyncDeliveryChannel channel =
                        open("targets", LOCAL, "circuit-failures", "3", "circuit-pause", "10m")) {
            for (int i = 0; i < 3; i++) {
                assertThat(send(channel, toTarget("1", "url", ill.url()))).isEqualTo(Delivery.failed("HTTP 500"));
            }
            Delivery deferred = send(channel, toTarget("1", "url", ill.url()));
            assertThat(deferred.kind()).isEqualTo(Delivery.Kind.DEFERRED);
            assertThat(deferred.retryAfter()).isBetween(Duration.ofMinutes(9), Duration.ofSeconds(750));
            assertThat(ill.requests()).hasSize(3);
            assertThat(send(channel, toTarget("1", "url", well.url()))).isEqualTo(Delivery.DELIVERED);
            assertThat(channel.health().details()).containsEntry("openCircuits", 1L);
        }
    }

    @Test
    void aDeadHostAndASlowOneHoldUpNoOther() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        List<TestReceiver> well = new ArrayList<>();
        try (TestReceiver slow = new TestReceiver(exchange -> hang(never));
                AsyncDeliveryChannel channel = open("targets", LOCAL, "per-host", "4", "timeout", "1m")) {
            String dead = ClosedPorts.url();
            List<Outgoing> batch = new ArrayList<>();
            for (int i = 0; i < 98; i++) {
                well.add(TestReceiver.answering(200));
                batch.add(new Outgoing(toTarget("slow-" + i, "url", slow.url()), 1, 8));
                batch.add(new Outgoing(toTarget("dead-" + i, "url", dead), 1, 8));
                batch.add(new Outgoing(toTarget("well-" + i, "url", well.get(i).url()), 1, 8));
            }
            List<CompletableFuture<Delivery>> fates = channel.send("callbacks", batch);

            for (int i = 0; i < batch.size(); i += 3) {
                assertThat(fates.get(i + 1).get(20, TimeUnit.SECONDS).kind())
                        .isIn(Delivery.Kind.FAILED, Delivery.Kind.DEFERRED, Delivery.Kind.FULL);
                assertThat(fates.get(i + 2).get(20, TimeUnit.SECONDS)).isEqualTo(Delivery.DELIVERED);
            }
            assertThat(fates.get(0)).isNotDone();
            Awaitility.await().untilAsserted(() -> assertThat(channel.health().details())
                    .containsEntry("inFlight", 4)
                    .containsEntry("waiting", 94));
        } finally {
            well.forEach(TestReceiver::close);
        }
    }

    private static void hang(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
