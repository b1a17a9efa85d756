package io.mykit.delay.queue.recovery;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.config.RecoveryConfig;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.memory.MemoryQueue;
import java.time.Duration;

/** A queue in memory, as recovery uses it. */
abstract class RecoveryFixture {
    static final Duration INTERVAL = Duration.ofSeconds(1);
    static final Duration GRACE = Duration.ofSeconds(3);
    static final Duration HORIZON = Duration.ofHours(1);
    static final int PAGE_SIZE = 3;
    static final long NEAR_MS = 60_000;
    static final long FAR_MS = 10 * 3_600_000;

    final MemoryQueue queue = new MemoryQueue(HORIZON);
    final LeaderTerm term = new LeaderTerm(1, () -> {});
    final Recovery recovery = new Recovery(
            queue.store(),
            queue.index(),
            queue.scheduling(),
            queue.clock(),
            queue.clock(),
            queue.clock(),
            queue.horizon(),
            new Config(),
            new RecoveryBoard(new SimpleMeterRegistry()));

    static void rounds(Loop loop, int rounds) {
        try {
            for (int i = 0; i < rounds; i++) {
                loop.runOnce();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private record Config() implements RecoveryConfig {
        @Override
        public Duration interval() {
            return INTERVAL;
        }

        @Override
        public Duration grace() {
            return GRACE;
        }

        @Override
        public int pageSize() {
            return PAGE_SIZE;
        }
    }
}
