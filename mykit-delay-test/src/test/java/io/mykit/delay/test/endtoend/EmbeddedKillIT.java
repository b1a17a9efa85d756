package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A killed embedded server has every push and every cancel that it answered, also after more than a minute of small commits: H2
 * began to use the space of its first chunks again then, and lost its last commits in every third kill.
 */
@Tag("nightly")
class EmbeddedKillIT {
    private static final int SERVERS = 4;
    private static final Duration SMALL_COMMITS = Duration.ofSeconds(65);
    private static final long PAUSE_MS = 100;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void everyAnswerOutlivesAKill() {
        List<Life> lives =
                IntStream.range(0, SERVERS).mapToObj(i -> new Life("s" + i)).toList();
        try {
            List<CompletableFuture<Void>> writing = new ArrayList<>();
            // One after the other: a busy machine would not get them all ready in time.
            for (Life life : lives) {
                life.start();
                writing.add(CompletableFuture.runAsync(
                        life::write, task -> Threads.daemon(life.name, task).start()));
            }
            await().atMost(SMALL_COMMITS.multipliedBy(2))
                    .until(() -> lives.stream().allMatch(life -> life.wroteFor().compareTo(SMALL_COMMITS) > 0));
            lives.forEach(life -> life.server.kill());
            writing.forEach(CompletableFuture::join);
            for (Life life : lives) {
                life.server.restart();
                assertThat(life.pushed).as("answered by %s", life.name).hasSizeGreaterThan(50);
                assertThat(life.lost())
                        .as("lost by %s, of %s", life.name, life.pushed.size())
                        .isEmpty();
            }
        } finally {
            lives.forEach(life -> life.server.close());
        }
    }

    /** A server, and its answers. */
    private final class Life {
        private final String name;
        private final DelayServer server;
        private final DelayClient client;
        private final Set<String> pushed = ConcurrentHashMap.newKeySet();
        private final Set<String> cancelled = ConcurrentHashMap.newKeySet();
        private final Set<String> unanswered = ConcurrentHashMap.newKeySet();
        private volatile long beganNanos;

        Life(String name) {
            this.name = name;
            // The messages are due beyond the horizon, so the server only answers calls.
            this.server = DelayServer.prepare(
                    name,
                    dir.resolve(name),
                    Map.of("delivery.default-channel", "console", "queue.horizon", "1m"),
                    "-Xmx128m -XX:TieredStopAtLevel=1");
            this.client = server.client();
        }

        void start() {
            server.restart();
            beganNanos = System.nanoTime();
        }

        Duration wroteFor() {
            return Duration.ofNanos(System.nanoTime() - beganNanos);
        }

        /** Until the server dies. */
        void write() {
            try {
                for (int i = 0; ; i++) {
                    String id = name + "-" + i;
                    Answer push = client.push(Map.of("topic", "t", "id", id, "delay", 3_600_000));
                    if (push.status() == 200) {
                        pushed.add(id);
                    }
                    if (i % 3 == 0) {
                        unanswered.add(id);
                        if (client.delete(id).status() == 200) {
                            cancelled.add(id);
                            unanswered.remove(id);
                        }
                    }
                    Thread.sleep(PAUSE_MS);
                }
            } catch (UncheckedIOException e) {
                assertThat(wroteFor())
                        .as("%s died by itself: %s", name, server.log())
                        .isGreaterThan(SMALL_COMMITS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        List<String> lost() {
            return pushed.stream()
                    .filter(id -> !unanswered.contains(id))
                    .filter(id -> !status(id).equals(cancelled.contains(id) ? "DELETE" : "WAIT_PUT"))
                    .sorted()
                    .toList();
        }

        private String status(String id) {
            Answer job = client.job(id);
            return job.status() == 200 ? job.dataObject().getString("statusName") : "none";
        }
    }
}
