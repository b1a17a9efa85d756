package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryQueue;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrayCollectorTest {
    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final LeaderTerm term = new LeaderTerm(1, () -> {});

    @ParameterizedTest
    @CsvSource({"1, 10", "20, 10", "100, 50", "60000, 120"})
    void restsTheLongerTheLongerItCounted(long tookMs, long pauseSeconds) {
        AtomicLong nowNanos = new AtomicLong();
        StrayCollector collector = new StrayCollector(
                queue.index(),
                term,
                new OwnedBuckets(queue.index(), term),
                () -> nowNanos.addAndGet(Duration.ofMillis(tookMs).toNanos()));
        assertThat(collector.runOnce()).isEqualTo(Duration.ofSeconds(pauseSeconds));
    }
}
