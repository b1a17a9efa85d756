package io.mykit.delay.channel.webhook;

import static io.mykit.delay.channel.webhook.TestChannels.message;
import static io.mykit.delay.channel.webhook.TestChannels.open;
import static io.mykit.delay.channel.webhook.TestChannels.send;
import static io.mykit.delay.channel.webhook.TestChannels.toTarget;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.hosts.Request;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The begin of the answer's body in the reason of a failure. */
class FailureTextTest {
    @Test
    void theBodyOfAFailureIsTheReason() throws Exception {
        assertThat(sendTo(410, "order 7 is cancelled")).isEqualTo(Delivery.refused("HTTP 410: order 7 is cancelled"));
        assertThat(sendTo(500, " {\"error\":\"größe\"}\n"))
                .isEqualTo(Delivery.failed("HTTP 500: {\"error\":\"größe\"}"));
        assertThat(sendTo(500, "")).isEqualTo(Delivery.failed("HTTP 500"));
        assertThat(sendTo(200, "stored")).isEqualTo(Delivery.DELIVERED);
    }

    @Test
    void aTopicThatIsToWaitDoesNotWaitForTheBody() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RawReceiver receiver = new RawReceiver(socket -> {
                    String head = "HTTP/1.1 503 Busy\r\nretry-after: 7\r\ncontent-length: 9\r\n\r\nab";
                    socket.getOutputStream().write(head.getBytes(UTF_8));
                    Latches.await(never);
                });
                AsyncDeliveryChannel channel = open("url", receiver.url(), "timeout", "10m")) {
            assertThat(send(channel, message("1")))
                    .isEqualTo(Delivery.unavailable("HTTP 503, Retry-After 7 s").retryAfter(Duration.ofSeconds(7)));
        }
    }

    @Test
    void anAnswerThatDoesNotEndKeepsItsStatusAndTheTextThatCame() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RawReceiver receiver = new RawReceiver(socket -> {
                    String head = "HTTP/1.1 410 Gone\r\ncontent-length: 9\r\n\r\nab";
                    socket.getOutputStream().write(head.getBytes(UTF_8));
                    Latches.await(never);
                });
                AsyncDeliveryChannel channel = open("url", receiver.url(), "timeout", "800ms")) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.refused("HTTP 410: ab"));
        }
    }

    /** The receiver has spoken: a message that it refused is not sent again. */
    @Test
    @SuppressWarnings("try") // The close is the test.
    void aCloseBeforeTheEndOfTheAnswerLeavesItsStatus() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RawReceiver receiver = new RawReceiver(socket -> {
                    String head = "HTTP/1.1 410 Gone\r\ncontent-length: 9\r\n\r\n";
                    socket.getOutputStream().write(head.getBytes(UTF_8));
                    Latches.await(never);
                });
                AsyncDeliveryChannel channel = open("url", receiver.url(), "timeout", "10m")) {
            CompletableFuture<Delivery> fate = channel.send("callbacks", List.of(new Outgoing(message("1"), 1, 8)))
                    .get(0);
            Awaitility.await().until(() -> channel.health().details().containsKey("lastFailure"));
            assertThat(fate).isNotDone();
            channel.close();
            assertThat(fate.get(20, TimeUnit.SECONDS)).isEqualTo(Delivery.refused("HTTP 410"));
        }
    }

    @Test
    void aLongAnswerIsReadUpToABound() throws Exception {
        assertThat(sendTo(500, "x".repeat(1_000_000))).isEqualTo(Delivery.failed("HTTP 500: " + "x".repeat(200)));
        assertThat(text("http://h/", "x".repeat(199) + "\uD83D\uDE00")).isEqualTo("x".repeat(199));
    }

    @Test
    void anEncodedBodyIsNoText() throws Exception {
        try (TestReceiver receiver = new TestReceiver(exchange -> {
                    exchange.getResponseHeaders().add("content-encoding", "gzip");
                    answer(exchange, 500, "abc");
                });
                AsyncDeliveryChannel channel = open("url", receiver.url())) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.failed("HTTP 500"));
        }
    }

    @Test
    void controlCharactersAreShown() {
        assertThat(text("http://h/", "a\r\nb\tc\u0007\u202ed\u2028\u001b[31m"))
                .isEqualTo("a\\r\\nb\\tc\\u0007\\u202ed\\u2028\\u001b[31m");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://h/services/T0/B1/XyZ?sig=SECRET | Cannot POST /services/T0/B1/XyZ?sig=SECRET | Cannot POST ***",
                "http://h/services/T0/B1/XyZ?sig=SECRET | path=/services/T0/B1/XyZ sig SECRET | path=*** sig ***",
                "http://h/a/0123456789abcdef0 | no \\/a\\/0123456789abcdef0 | no \\/a\\/***",
                "http://h/x?sig=ab%2Fcd== | sig ab%2Fcd== or ab/cd== | sig *** or ***",
                "http://h/ | a/b v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= c | a/b *** c",
            })
    void theSecretsOfTheOperatorsUrlAreHidden(String url, String body, String shown) {
        assertThat(text(url, body)).isEqualTo(shown);
    }

    /** The message has it, so its readers know it. */
    @Test
    void theTargetOfAMessageIsNoSecret() throws Exception {
        try (TestReceiver receiver = answering(404, "no /hook?a=b%20c");
                AsyncDeliveryChannel channel = open("targets", "http://127.0.0.0/8")) {
            assertThat(send(channel, toTarget("1", "url", receiver.url())))
                    .isEqualTo(Delivery.failed("HTTP 404: no /hook?a=b%20c"));
        }
    }

    private static String text(String url, String body) {
        FailureText text = FailureText.of(Delivery.failed(""), new Request(Destination.of(url), "POST", false));
        text.add(Buffer.buffer(body));
        return text.whole().detail().substring(2);
    }

    private static Delivery sendTo(int status, String body) throws Exception {
        try (TestReceiver receiver = answering(status, body);
                AsyncDeliveryChannel channel = open("url", receiver.url())) {
            return send(channel, message("1"));
        }
    }

    private static TestReceiver answering(int status, String body) {
        return new TestReceiver(exchange -> answer(exchange, status, body));
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        } catch (IOException cut) {
            // The channel reads no more than it shows.
        }
    }
}
