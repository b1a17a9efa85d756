package io.mykit.delay.queue.duty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.RecoveryConfig;
import io.mykit.delay.config.RetentionConfig;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.housekeeping.Housekeeping;
import io.mykit.delay.queue.housekeeping.HousekeepingMeters;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.recovery.BucketRestore;
import io.mykit.delay.queue.recovery.DeadMeters;
import io.mykit.delay.queue.recovery.Recovery;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class QueueWorkTest {
    private static final int LONG_OUTAGE = 6;

    private final MemoryQueue queue = new MemoryQueue(Duration.ofHours(1));
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @Test
    void messagesAreLoadedSoonAfterALongOutageOfTheDatabase() {
        queue.insert("m", 60_000, MessageStatus.WAIT_PUT);
        queue.store().goAway();
        LeaderTerm term = new LeaderTerm(1, () -> {});
        QueueWork work = work(term);
        LoopRunner loader = loop(work, "loader");
        work.start();
        try {
            await().atMost(Duration.ofMinutes(1)).until(() -> loader.failures() >= LONG_OUTAGE);
            queue.store().comeBack();
            await().atMost(Duration.ofSeconds(3))
                    .untilAsserted(() -> assertThat(queue.location("m")).isEqualTo(Location.WAITING));
        } finally {
            work.close();
        }
    }

    private static LoopRunner loop(QueueWork work, String name) {
        return work.loops().stream()
                .filter(loop -> loop.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private QueueWork work(LeaderTerm term) {
        Recovery recovery = new Recovery(
                queue.store(),
                queue.index(),
                queue.scheduling(),
                queue.clock(),
                queue.clock(),
                queue.clock(),
                queue.horizon(),
                new Looks(),
                new RecoveryBoard(meters));
        Housekeeping housekeeping = new Housekeeping(
                queue.store(), queue.index(), queue.clock(), new KeptForever(), new HousekeepingMeters(meters));
        BucketRestore restore = new BucketRestore(recovery, term, new OwnedBuckets(queue.index(), term));
        return new QueueWork(term, recovery, housekeeping, new DeadMeters(meters), restore);
    }

    private record Looks() implements RecoveryConfig {
        @Override
        public Duration interval() {
            return Duration.ofSeconds(1);
        }

        @Override
        public Duration grace() {
            return Duration.ofSeconds(3);
        }

        @Override
        public int pageSize() {
            return 100;
        }
    }

    private record KeptForever() implements RetentionConfig {
        @Override
        public boolean enabled() {
            return false;
        }

        @Override
        public Duration keep() {
            return Duration.ofDays(7);
        }

        @Override
        public Duration keepFailed() {
            return keep();
        }

        @Override
        public Duration audit() {
            return keep();
        }

        @Override
        public int batchSize() {
            return 1;
        }

        @Override
        public int rate() {
            return 1;
        }
    }
}
