package io.mykit.delay.common.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClusterClockTest {
    private static final long MS = 1_000_000;

    private final AtomicLong wallMs = new AtomicLong(5_000_000);
    /** Monotonic clocks may be negative. */
    private final AtomicLong nanos = new AtomicLong(-777 * MS);

    private final ClusterClock clock = new ClusterClock(wallMs::get, nanos::get);

    @Test
    void beforeTheFirstSampleItIsTheWallClockOfTheStart() {
        assertThat(clock.isSampled()).isFalse();
        assertThat(clock.millis()).isEqualTo(5_000_000);
        nanos.addAndGet(1500 * MS);
        assertThat(clock.millis()).isEqualTo(5_001_500);
        assertThat(clock.instant()).isEqualTo(Instant.ofEpochMilli(5_001_500));
        assertThat(clock.nanos()).isEqualTo(723 * MS);
    }

    @Test
    void aStepOfTheWallClockMovesNothing() {
        wallMs.addAndGet(-3_600_000);
        assertThat(clock.millis()).isEqualTo(5_000_000);
        wallMs.addAndGet(7_200_000);
        assertThat(clock.millis()).isEqualTo(5_000_000);
    }

    @Test
    void aSampleIsAsOldAsItsRoundTripSoTheClockIsNeverBehind() {
        long asked = clock.nanos();
        nanos.addAndGet(20 * MS);
        clock.sample(9_000_000_000L, asked);
        assertThat(clock.isSampled()).isTrue();
        assertThat(clock.millis()).isEqualTo(9_000_020);
        nanos.addAndGet(40 * MS);
        assertThat(clock.millis()).isEqualTo(9_000_060);
    }

    @Test
    void aProcessThatWasPausedBeforeItAskedIsHardlyAhead() {
        long asked = clock.nanos();
        nanos.addAndGet(30_000 * MS);
        clock.sample(9_000_000_000L, asked);
        assertThat(clock.millis()).isEqualTo(9_000_100);
    }

    @Test
    void theLatestSampleCounts() {
        clock.sample(9_000_000_000L, clock.nanos());
        clock.sample(8_000_000_000L, clock.nanos());
        assertThat(clock.millis()).isEqualTo(8_000_000);
    }

    @Test
    void itAdvancesEvenlyThroughFractionsOfAMillisecond() {
        long before = clock.millis();
        for (int i = 0; i < 1000; i++) {
            nanos.addAndGet(MS / 4);
            assertThat(clock.millis()).isBetween(before, before + (i + 1) / 4 + 1);
        }
        assertThat(clock.millis()).isEqualTo(before + 250);
    }
}
