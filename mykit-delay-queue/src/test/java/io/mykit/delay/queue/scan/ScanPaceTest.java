package io.mykit.delay.queue.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
    void thePauseIsTwiceTheExchangeWithRedis() {
        found(100, 2 * MILLISECOND, 3 * MILLISECOND, 2);
        assertThat(untilNextRoundNanos(3 * MILLISECOND)).isCloseTo(6 * MILLISECOND, within(MILLISECOND / 100));
    }

    @Test
    void aShortExchangeLeavesThePauseAsItIs() {
        found(100, 2 * MILLISECOND, MILLISECOND / 2, 1);
        assertThat(untilNextRoundNanos(MILLISECOND / 2)).isEqualTo(PAUSE.toNanos());
    }

    @Test
    void thePauseGrowsToFourTimesItsLength() {
        found(100, 2 * MILLISECOND, 50 * MILLISECOND, 100);
        assertThat(untilNextRoundNanos(50 * MILLISECOND)).isEqualTo(4 * PAUSE.toNanos());
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
        found(rounds, gapNanos, 0, messages);
    }

    private void found(int rounds, long gapNanos, long exchangeNanos, int messages) {
        for (int i = 0; i < rounds; i++) {
            long begunNanos = nanos.addAndGet(gapNanos);
            nanos.addAndGet(exchangeNanos);
            pace.found(begunNanos, messages, false);
        }
    }

    /** From the beginning of the last round, whose exchange took so long. */
    private long untilNextRoundNanos(long exchangeNanos) {
        return pace.leftNanos() + exchangeNanos;
    }
}
