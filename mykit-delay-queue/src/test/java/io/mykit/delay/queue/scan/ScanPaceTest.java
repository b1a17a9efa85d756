package io.mykit.delay.queue.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ScanPaceTest {
    private static final Duration PAUSE = Duration.ofMillis(2);
    private static final long MILLISECOND = Duration.ofMillis(1).toNanos();

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
    private ScanPace pace = new ScanPace(PAUSE, nanos::get);

    @Test
    void aMessageThatFallsDueAloneNeverWaits() {
        found(100, 5 * MILLISECOND, 1);
        assertThat(pace.leftNanos()).isNotPositive();
    }

    @Test
    void roundsHaveAPauseWhileMessagesFallDueOften() {
        found(100, 2 * MILLISECOND, 1);
        assertThat(pace.leftNanos()).isEqualTo(PAUSE.toNanos());
        nanos.addAndGet(MILLISECOND);
        assertThat(pace.leftNanos()).isEqualTo(PAUSE.toNanos() - MILLISECOND);
        nanos.addAndGet(MILLISECOND);
        assertThat(pace.leftNanos()).isNotPositive();
    }

    @Test
    void theMessagesOfARoundCount() {
        found(100, 10 * MILLISECOND, 10);
        assertThat(pace.leftNanos()).isEqualTo(PAUSE.toNanos());
    }

    @Test
    void aBacklogHasNoPause() {
        found(100, MILLISECOND, 1);
        pace.found(nanos.get(), 500, true);
        assertThat(pace.leftNanos()).isNotPositive();
    }

    @Test
    void theFirstMessageAfterASilenceHasNoPauseBehindIt() {
        found(100, MILLISECOND, 1);
        found(1, Duration.ofSeconds(10).toNanos(), 1);
        assertThat(pace.leftNanos()).isNotPositive();
    }

    @Test
    void noPauseIfItIsZero() {
        pace = new ScanPace(Duration.ZERO, nanos::get);
        found(100, 1, 100);
        assertThat(pace.leftNanos()).isNotPositive();
    }

    private void found(int rounds, long gapNanos, int messages) {
        for (int i = 0; i < rounds; i++) {
            nanos.addAndGet(gapNanos);
            pace.found(nanos.get(), messages, false);
        }
    }
}
