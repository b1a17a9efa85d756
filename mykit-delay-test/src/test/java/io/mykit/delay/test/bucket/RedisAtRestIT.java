package io.mykit.delay.test.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.test.server.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of a node for which nothing happens. */
class RedisAtRestIT {
    /** Rounds of the upkeep, which reads the time once a round. */
    private static final int ROUNDS = 10;

    @TempDir
    private Path dir;

    @Test
    void theAnswerToOnePingSavesTheNext() {
        try (RedisServer server = RedisServer.start(dir, "");
                MessageIndex index = new IndexSettings(server.uri(), "rest").open()) {
            assertThat(index.timeMs()).isPositive();
            await().until(() -> calls(server, "ping") > 0);
            long rounds = calls(server, "time");
            long pings = calls(server, "ping");
            await().atMost(Duration.ofSeconds(60)).until(() -> calls(server, "time") >= rounds + ROUNDS);
            long made = calls(server, "time") - rounds;
            // A pong may be late for the next round, which then pings again: less than two in three are enough to see
            // the saving.
            assertThat(calls(server, "ping") - pings).isBetween(1L, made * 2 / 3 + 1);
        }
    }

    private static long calls(RedisServer server, String command) {
        String stats = text(server.command("INFO", "commandstats"));
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*:calls=([0-9]+),.*", "$1")))
                .sum();
    }

    private static String text(Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(reply);
    }
}
