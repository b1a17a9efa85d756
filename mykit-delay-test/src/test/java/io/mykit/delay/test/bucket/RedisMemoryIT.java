package io.mykit.delay.test.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.test.message.MessageBuilder;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of a waiting message. */
class RedisMemoryIT {
    private static final int MESSAGES = 100_000;
    private static final int BATCH = 10_000;
    private static final int MAX_BYTES = 300;

    @TempDir
    private Path dir;

    /**
     * Generated ids, ASCII bodies of 100 bytes; as Redis counts it (musl's malloc, which rounds less than jemalloc), without the
     * buffers of its clients, which shrink when a client rests.
     */
    @Test
    void aWaitingMessageIsSmall() {
        try (RedisServer server = RedisServer.start(dir, "");
                MessageIndex index = new IndexSettings(server.uri(), "memory").open()) {
            RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
            MessageIds ids = new MessageIds(() -> Instant.ofEpochMilli(index.timeMs()));
            long before = Long.parseLong(server.info("used_memory_dataset"));
            for (int from = 0; from < MESSAGES; from += BATCH) {
                List<DelayMessage> batch = new ArrayList<>();
                for (int i = 0; i < BATCH; i++) {
                    batch.add(waiting(ids.next(), index.timeMs(), 3_600_000 + random.nextInt(3_600_000)));
                }
                assertThat(index.schedule(batch)).containsOnly(ScheduleOutcome.SCHEDULED);
            }
            long each = (Long.parseLong(server.info("used_memory_dataset")) - before) / MESSAGES;
            System.out.println("bytes of Redis per waiting message: " + each);
            assertThat(each).isLessThanOrEqualTo(MAX_BYTES);
        }
    }

    private static DelayMessage waiting(String id, long nowMs, long delayMs) {
        return MessageBuilder.withId(id)
                .topic("topic")
                .body("b".repeat(100))
                .created(nowMs)
                .delay(delayMs)
                .priority(5)
                .build();
    }
}
