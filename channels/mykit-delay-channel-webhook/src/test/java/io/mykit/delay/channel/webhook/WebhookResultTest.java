package io.mykit.delay.channel.webhook;

import static io.mykit.delay.channel.webhook.TestChannels.message;
import static io.mykit.delay.channel.webhook.TestChannels.open;
import static io.mykit.delay.channel.webhook.TestChannels.send;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageResult;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Answers of receivers that are kept as results. */
class WebhookResultTest {
    @Test
    void theBodyOfAnAnswerIsTheResult() throws Exception {
        assertThat(sendTo(200, "{\"größe\":7}".getBytes(UTF_8)))
                .isEqualTo(Delivery.delivered(new MessageResult("{\"größe\":7}", false)));
        assertThat(sendTo(201, new byte[] {-1, 0})).isEqualTo(Delivery.delivered(new MessageResult("/wA=", true)));
        assertThat(sendTo(200, new byte[0])).isEqualTo(Delivery.DELIVERED);
        assertThat(sendTo(500, "trouble".getBytes(UTF_8))).isEqualTo(Delivery.failed("HTTP 500: trouble"));
    }

    @Test
    void aBodyIsKeptWholeOrNotAtAll() throws Exception {
        byte[] most = new byte[MessageLimits.MAX_RESULT_BYTES];
        Arrays.fill(most, (byte) 'a');
        assertThat(sendTo(200, most).result()).contains(new MessageResult(new String(most, UTF_8), false));

        Delivery more = sendTo(200, Arrays.copyOf(most, most.length + 1));

        assertThat(more.kind()).isEqualTo(Delivery.Kind.DELIVERED);
        assertThat(more.result()).isEmpty();
        assertThat(more.detail()).isEqualTo("the answer is not kept: it is larger than 65536 bytes");
    }

    @Test
    void anAnswerThatDoesNotEndIsDeliveredWithoutAResult() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RawReceiver receiver = new RawReceiver(socket -> {
                    socket.getOutputStream().write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab".getBytes(UTF_8));
                    Latches.await(never);
                });
                AsyncDeliveryChannel channel = open("url", receiver.url(), "keep-result", "true", "timeout", "800ms")) {
            assertThat(send(channel, message("1")))
                    .isEqualTo(new Delivery(
                            Delivery.Kind.DELIVERED, "the answer is not kept: it did not end within 800 ms"));
            Awaitility.await()
                    .untilAsserted(() -> assertThat(channel.health().details()).containsEntry("inFlight", 0));
        }
    }

    @Test
    void anAnswerThatIsCutIsDeliveredWithoutAResult() throws Exception {
        try (RawReceiver receiver = new RawReceiver(socket -> socket.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab".getBytes(UTF_8)));
                AsyncDeliveryChannel channel = open("url", receiver.url(), "keep-result", "true")) {
            Delivery fate = send(channel, message("1"));
            assertThat(fate.kind()).isEqualTo(Delivery.Kind.DELIVERED);
            assertThat(fate.detail()).isEqualTo("the answer is not kept: the connection was lost in it");
        }
    }

    @Test
    void aTopicDecidesForItself() throws Exception {
        try (TestReceiver receiver = answering(200, "seven".getBytes(UTF_8));
                AsyncDeliveryChannel one = open("url", receiver.url(), "topics.callbacks.keep-result", "true");
                AsyncDeliveryChannel none =
                        open("url", receiver.url(), "keep-result", "true", "topics.callbacks.keep-result", "false")) {
            assertThat(send(one, message("1")).result()).isPresent();
            assertThat(send(none, message("1"))).isEqualTo(Delivery.DELIVERED);
        }
    }

    private static Delivery sendTo(int status, byte[] body) throws Exception {
        try (TestReceiver receiver = answering(status, body);
                AsyncDeliveryChannel channel = open("url", receiver.url(), "keep-result", "true")) {
            return send(channel, message("1"));
        }
    }

    private static TestReceiver answering(int status, byte[] body) {
        return new TestReceiver(exchange -> {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            try (exchange) {
                exchange.getResponseBody().write(body);
            } catch (IOException cut) {
                // The channel reads no more than it keeps.
            }
        });
    }
}
