package io.mykit.delay.channel.webhook;

import static io.mykit.delay.channel.webhook.TestChannels.message;
import static io.mykit.delay.channel.webhook.TestChannels.open;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Trouble of this node in the middle of an exchange. */
class ExchangeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    /** By how much the event loop runs the timer too late. */
    private static final Duration LATE = Duration.ofMillis(500);

    private final CountDownLatch got = new CountDownLatch(1);
    private final CountDownLatch stalled = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);

    /** The answer comes in time, and the event loop reads it too late. The connection of another message stalls the loop. */
    @Test
    void anAnswerThatCameInAStallOfTheEventLoopCounts() throws Exception {
        try (RawReceiver receiver = new RawReceiver(this::answerInTheStall);
                TestReceiver other = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open(
                        "topics.callbacks.url",
                        receiver.url(),
                        "targets",
                        "http://127.0.0.0/8",
                        "timeout",
                        TIMEOUT.toMillis() + "ms")) {
            CompletableFuture<Delivery> fate = send(channel, () -> true);
            assertThat(got.await(20, TimeUnit.SECONDS)).isTrue();
            channel.send(
                    "callbacks",
                    List.of(new Outgoing(TestChannels.toTarget("2", "url", other.url()), 1, 8, this::stall)));

            assertThat(fate.get(20, TimeUnit.SECONDS)).isEqualTo(Delivery.DELIVERED);
        }
    }

    @Test
    void anErrorOfAStepEndsTheAttempt() throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open("url", receiver.url(), "timeout", "10m")) {
            CompletableFuture<Delivery> fate = send(channel, () -> {
                throw new OutOfMemoryError("of this test");
            });
            assertThat(fate.get(20, TimeUnit.SECONDS)).isEqualTo(Delivery.unclear("OutOfMemoryError: of this test"));
            Awaitility.await()
                    .untilAsserted(() -> assertThat(channel.health().details()).containsEntry("inFlight", 0));
        }
    }

    /** A leader whose term ends gives up a request for each message that waited for a connection. */
    @Test
    void aRequestThatIsGivenUpIsNotLoggedAsAnError() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger vertx = Logger.getLogger("io.vertx");
        vertx.addHandler(handler);
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open("url", receiver.url())) {
            assertThat(send(channel, () -> false).get(20, TimeUnit.SECONDS).kind())
                    .isEqualTo(Delivery.Kind.UNAVAILABLE);
            // The next request needs the event loop that gave up the first one.
            assertThat(send(channel, () -> true).get(20, TimeUnit.SECONDS)).isEqualTo(Delivery.DELIVERED);
        } finally {
            vertx.removeHandler(handler);
        }
        assertThat(lines).isEmpty();
    }

    private static CompletableFuture<Delivery> send(AsyncDeliveryChannel channel, BooleanSupplier mayBeSent) {
        return channel.send("callbacks", List.of(new Outgoing(message("1"), 1, 8, mayBeSent)))
                .get(0);
    }

    private void answerInTheStall(Socket socket) throws IOException {
        socket.getInputStream().read();
        got.countDown();
        Latches.await(stalled);
        socket.getOutputStream().write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes(US_ASCII));
        answered.countDown();
        // The client closes the connection.
        while (socket.getInputStream().read() >= 0) {}
    }

    /** The timer began before the receiver got its request, so it is late at the end of this. */
    private boolean stall() {
        stalled.countDown();
        Latches.await(answered);
        sleep(TIMEOUT.plus(LATE));
        return true;
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
