package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Large bodies of many topics are due at once, and their receiver does not answer: they do not meet in the memory of a small heap. The
 * server ends at its first OutOfMemoryError.
 */
@Tag("nightly")
class BodiesInFlightIT {
    private static final Duration PATIENCE = Duration.ofMinutes(8);
    private static final int MESSAGES = 720;
    private static final int AT_ONCE = 8;
    /** Fewer than the requests that the receiver gets at once, and than the bodies that may be in flight together. */
    private static final int SOME = 15;
    /** Long enough for all pushes. */
    private static final long WAIT_MS = 40_000;

    private static final String BODY = "b".repeat(1_000_000);

    /** If each topic had one message in flight, 360 topics would have more than the heap. */
    @ParameterizedTest
    @ValueSource(ints = {30, 360})
    void largeBodiesOfManyTopicsAreNeverInFlightTogether(
            int topics, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        try (HeldReceiver receiver = new HeldReceiver();
                DelayServer server = DelayServer.start(
                        "server",
                        dir,
                        Map.of(
                                "activemq.embedded-port",
                                Integer.toString(FreePorts.next()),
                                "delivery.topics.w-*",
                                "webhook",
                                "webhook.url",
                                receiver.url(),
                                "webhook.timeout",
                                "5m"),
                        "-Xmx256m -XX:+ExitOnOutOfMemoryError")) {
            List<String> ids = pushAll(server.client(), topics, System.currentTimeMillis() + WAIT_MS);
            await().atMost(PATIENCE).until(() -> receiver.ids().size() >= SOME || !server.isAlive());
            // Nearly all topics know that there is no memory for more.
            await().atMost(PATIENCE).until(() -> limited(server) >= 0.9 * topics || !server.isAlive());
            assertThat(server.isAlive()).as("no OutOfMemoryError").isTrue();

            receiver.release();
            await().atMost(PATIENCE).until(() -> new HashSet<>(receiver.ids()).containsAll(ids) || !server.isAlive());
            assertThat(server.isAlive()).as("no OutOfMemoryError").isTrue();
            assertThat(server.log()).doesNotContain("OutOfMemoryError");
            assertThat(receiver.ids()).hasSize(ids.size());
        }
    }

    private static double limited(DelayServer server) {
        return server.client().metric("mykit_delay_topics_limited");
    }

    private static List<String> pushAll(DelayClient client, int topics, long dueMs) {
        List<String> ids =
                IntStream.range(0, MESSAGES).mapToObj(i -> "large-" + i).toList();
        for (int from = 0; from < ids.size(); from += AT_ONCE) {
            List<CompletableFuture<Answer>> pushed = IntStream.range(from, from + AT_ONCE)
                    .mapToObj(i -> client.pushAsync(
                            Map.of("id", ids.get(i), "topic", "w-" + i % topics, "body", BODY, "triggerAt", dueMs)))
                    .toList();
            pushed.forEach(answer -> assertThat(answer.join().status()).isEqualTo(200));
        }
        return ids;
    }
}
