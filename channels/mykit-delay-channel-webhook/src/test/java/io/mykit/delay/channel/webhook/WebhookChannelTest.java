package io.mykit.delay.channel.webhook;

import static io.mykit.delay.channel.webhook.TestChannels.message;
import static io.mykit.delay.channel.webhook.TestChannels.open;
import static io.mykit.delay.channel.webhook.TestChannels.send;
import static io.mykit.delay.channel.webhook.TestChannels.withHeaders;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.hosts.HostResolver;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.test.message.ExtrasBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookChannelTest {
    @Test
    void aRequestCarriesTheMessage() throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(204);
                AsyncDeliveryChannel channel = open("url", receiver.url(), "secret", TestChannels.SECRET)) {
            assertThat(send(
                            channel,
                            withHeaders(message("20"), Map.of("x-shop", "Köln", "authorization", "Bearer 5%"))))
                    .isEqualTo(Delivery.DELIVERED);

            TestReceiver.Got got = receiver.requests().get(0);
            assertThat(got.method()).isEqualTo("POST");
            assertThat(got.uri()).isEqualTo("/hook?a=b%20c");
            assertThat(got.body()).hasToString("{\"order\":7}");
            assertThat(got.header("host")).isEqualTo("127.0.0.1:" + receiver.port());
            assertThat(got.header("content-type")).isEqualTo("application/json");
            assertThat(got.header("content-length")).isEqualTo("11");
            assertThat(got.header("user-agent")).startsWith("mykit-delay");
            assertThat(got.header("webhook-id")).isEqualTo("20");
            assertThat(got.header("webhook-timestamp")).isEqualTo("1800000000");
            assertThat(got.header("webhook-signature")).isEqualTo("v1,3YRzr2u3q2YJTxMk0krsWlFS5+0QOKVVXL90SU6Cdyc=");
            assertThat(got.header("mykit-delay-id")).isEqualTo("20");
            assertThat(got.header("mykit-delay-topic")).isEqualTo("callbacks");
            assertThat(got.header("mykit-delay-subtopic")).isEqualTo("sub");
            assertThat(got.header("mykit-delay-biz-key")).isEqualTo("biz%207");
            assertThat(got.header("mykit-delay-due-time")).isEqualTo("1799999940000");
            assertThat(got.header("mykit-delay-attempt")).isEqualTo("2");
            assertThat(got.header("mykit-delay-max-attempts")).isEqualTo("8");
            assertThat(got.header("x-shop")).isEqualTo("K%C3%B6ln");
            assertThat(got.header("authorization")).isEqualTo("Bearer 5%");
        }
    }

    @Test
    void bytesAndOwnContentTypesArrive() throws Exception {
        byte[] bytes = {0, 1, (byte) 0xFF};
        String base64 = Base64.getEncoder().encodeToString(bytes);
        MessageExtras binary = ExtrasBuilder.extras().binary(true).build();
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open("url", receiver.url())) {
            send(channel, message("1").withBody(base64).withExtras(binary));
            send(channel, withHeaders(message("2").withBody("plain"), Map.of()));
            send(channel, withHeaders(message("3"), Map.of("content-type", "text/csv")));

            assertThat(receiver.requests())
                    .extracting(got -> got.header("content-type"))
                    .containsExactly("application/octet-stream", "text/plain; charset=utf-8", "text/csv");
            assertThat(receiver.requests().get(0).body().getBytes()).isEqualTo(bytes);
            assertThat(receiver.requests().get(0).header("webhook-signature")).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "200 | -                             | DELIVERED   | -                          | 0",
                "204 | -                             | DELIVERED   | -                          | 0",
                "302 | -                             | FAILED      | HTTP 302                   | 0",
                "400 | -                             | FAILED      | HTTP 400                   | 0",
                "404 | 120                           | FAILED      | HTTP 404                   | 0",
                "410 | -                             | REFUSED     | HTTP 410                   | 0",
                "429 | -                             | FAILED      | HTTP 429                   | 0",
                "429 | 120                           | UNAVAILABLE | HTTP 429, Retry-After 120 s | 120",
                "503 | Fri, 15 Jan 2027 08:01:00 GMT | UNAVAILABLE | HTTP 503, Retry-After 60 s | 60",
                "503 | Fri, 15 Jan 2010 08:01:00 GMT | UNAVAILABLE | HTTP 503, Retry-After 0 s  | 0",
                "503 | 999999999                     | UNAVAILABLE | HTTP 503, Retry-After 86400 s | 86400",
                "503 | soon                          | FAILED      | HTTP 503                   | 0",
                "500 | 120                           | FAILED      | HTTP 500                   | 0"
            })
    void theStatusDecidesTheFate(int status, String retryAfter, Delivery.Kind kind, String detail, long waitSeconds)
            throws Exception {
        String[] headers = retryAfter == null ? new String[0] : new String[] {"retry-after", retryAfter};
        try (TestReceiver receiver = TestReceiver.answering(status, headers);
                AsyncDeliveryChannel channel = open("url", receiver.url())) {
            assertThat(send(channel, message("1")))
                    .isEqualTo(new Delivery(kind, detail == null ? "" : detail, Duration.ofSeconds(waitSeconds)));
            assertThat(receiver.requests()).hasSize(1);
        }
    }

    @Test
    void configuredStatusesDecide() throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(404);
                AsyncDeliveryChannel lenient = open("url", receiver.url(), "success", "200-299, 404");
                AsyncDeliveryChannel strict = open("url", receiver.url(), "dead-on", "400-499")) {
            assertThat(send(lenient, message("1"))).isEqualTo(Delivery.DELIVERED);
            assertThat(send(strict, message("1"))).isEqualTo(Delivery.refused("HTTP 404"));
        }
    }

    @Test
    void aReceiverThatIsAwayIsUnavailable() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        try (AsyncDeliveryChannel channel = open("url", "http://127.0.0.1:" + port + "/")) {
            Delivery fate = send(channel, message("1"));
            assertThat(fate.kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
            assertThat(fate.detail()).startsWith("no connection: ").contains("Connection refused");
            assertThat(channel.health().details().get("lastFailure"))
                    .asString()
                    .startsWith("http://127.0.0.1:" + port + ": no connection");
        }
    }

    @Test
    void aNameThatIsNotKnownIsUnavailable() throws Exception {
        try (AsyncDeliveryChannel channel = open("url", "http://nowhere.invalid/")) {
            assertThat(send(channel, message("1")).kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
        }
    }

    @Test
    void aLookupThatHangsEndsAfterTheConnectTimeout() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        HostResolver hanging = host -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return List.of();
        };
        try (AsyncDeliveryChannel channel = open(hanging, "url", "http://slow.example/", "connect-timeout", "100ms")) {
            Delivery fate = send(channel, message("1"));
            assertThat(fate.kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
            assertThat(fate.detail()).contains("lookup");
        }
    }

    @Test
    void theNextAddressIsTried() throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open(
                        host -> List.of(InetAddress.getByName("127.0.0.9"), InetAddress.getLoopbackAddress()),
                        "url",
                        "http://two.example:" + receiver.port() + "/")) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.DELIVERED);
            assertThat(receiver.requests().get(0).header("host")).isEqualTo("two.example:" + receiver.port());
        }
    }

    @Test
    void aReceiverThatDoesNotAnswerFailsTheMessage() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (TestReceiver receiver = new TestReceiver(exchange -> Latches.await(never));
                AsyncDeliveryChannel channel = open("url", receiver.url(), "timeout", "800ms")) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.failed("no answer within 800 ms"));
            Awaitility.await()
                    .untilAsserted(() -> assertThat(channel.health().details()).containsEntry("inFlight", 0));
        }
    }

    @Test
    void aConnectionThatBreaksBeforeTheAnswerIsUnclear() throws Exception {
        try (RawReceiver receiver =
                        new RawReceiver(socket -> socket.getOutputStream().write("HTTP/1.1 2".getBytes(UTF_8)));
                AsyncDeliveryChannel channel = open("url", receiver.url())) {
            Delivery fate = send(channel, message("1"));
            assertThat(fate.kind()).isEqualTo(Delivery.Kind.UNCLEAR);
            assertThat(fate.detail()).startsWith("connection lost before the answer");
        }
    }

    @Test
    void anAnswerThatIsNoHttpIsUnclear() throws Exception {
        try (RawReceiver receiver =
                        new RawReceiver(socket -> socket.getOutputStream().write("SSH-2.0-x\r\n\r\n".getBytes(UTF_8)));
                AsyncDeliveryChannel channel = open("url", receiver.url())) {
            assertThat(send(channel, message("1")).kind()).isEqualTo(Delivery.Kind.UNCLEAR);
        }
    }

    @Test
    void aBodyThatNeverEndsIsCutOff() throws Exception {
        CompletableFuture<Integer> written = new CompletableFuture<>();
        try (RawReceiver receiver = new RawReceiver(socket -> endless(socket, written));
                AsyncDeliveryChannel channel = open("url", receiver.url())) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.DELIVERED);
            assertThat(written.get(20, TimeUnit.SECONDS)).isPositive();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(channel.health().details()).containsEntry("inFlight", 0));
        }
    }

    @Test
    void aBodyThatTricklesIsCutOffAtTheTimeout() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RawReceiver receiver = new RawReceiver(socket -> {
                    socket.getOutputStream().write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab".getBytes(UTF_8));
                    Latches.await(never);
                });
                AsyncDeliveryChannel channel = open("url", receiver.url(), "timeout", "800ms")) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.DELIVERED);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(channel.health().details()).containsEntry("inFlight", 0));
        }
    }

    @Test
    void connectionsAreUsedAgain() throws Exception {
        try (RawReceiver receiver = new RawReceiver(socket -> {
                    for (int i = 0; i < 3; i++) {
                        readRequest(socket);
                        socket.getOutputStream()
                                .write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab".getBytes(UTF_8));
                    }
                });
                AsyncDeliveryChannel channel = open("url", receiver.url())) {
            for (int i = 0; i < 3; i++) {
                assertThat(send(channel, message("1"))).isEqualTo(Delivery.DELIVERED);
                Awaitility.await()
                        .untilAsserted(
                                () -> assertThat(channel.health().details()).containsEntry("inFlight", 0));
            }
            assertThat(receiver.connections()).isEqualTo(1);
        }
    }

    @Test
    @SuppressWarnings("try") // Closing twice is allowed.
    void closeDecidesTheFatesThatAreOpen() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (TestReceiver receiver = new TestReceiver(exchange -> Latches.await(never));
                AsyncDeliveryChannel channel = open("url", receiver.url(), "per-host", "1")) {
            List<CompletableFuture<Delivery>> fates = channel.send(
                    "callbacks", List.of(new Outgoing(message("1"), 1, 8), new Outgoing(message("2"), 1, 8)));
            Awaitility.await().until(() -> receiver.requests().size() == 1);
            assertThat(channel.health().details()).containsEntry("inFlight", 1).containsEntry("waiting", 1);

            channel.close();

            assertThat(fates.get(0).get(20, TimeUnit.SECONDS)).isEqualTo(Delivery.unavailable("the channel is closed"));
            assertThat(fates.get(1).get(20, TimeUnit.SECONDS)).isEqualTo(Delivery.notSent("the channel is closed"));
            assertThat(send(channel, message("3"))).isEqualTo(Delivery.notSent("the channel is closed"));
        }
    }

    @Test
    void getAndDeleteHaveNoBody() throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open("url", receiver.url(), "method", "get")) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.DELIVERED);
            assertThat(receiver.requests().get(0).method()).isEqualTo("GET");
            assertThat(receiver.requests().get(0).body().length()).isZero();
        }
    }

    private static void endless(Socket socket, CompletableFuture<Integer> written) throws IOException {
        readRequest(socket);
        OutputStream out = socket.getOutputStream();
        out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(UTF_8));
        int parts = 0;
        try {
            while (true) {
                out.write(new byte[1024]);
                parts++;
            }
        } catch (IOException cut) {
            written.complete(parts);
        }
    }

    private static void readRequest(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n{\"order\":7}") < 0) {
            int octet = socket.getInputStream().read();
            if (octet < 0) {
                throw new IOException("closed");
            }
            head.append((char) octet);
        }
    }
}
