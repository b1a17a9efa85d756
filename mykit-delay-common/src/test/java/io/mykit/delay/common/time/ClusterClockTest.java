package io.mykit.delay.common.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClusterClockTest {
    private static final long MS = 1_000_000;

    private final AtomicLong wallMs = new AtomicLong(5_000_000);
    /** Monotonic clocks may be negative. */
    private final AtomicLong nanos = new AtomicLong(-777 * MS);

    /** Goes on while the machine is suspended. */
    private final AtomicLong suspended = new AtomicLong();

    private final ClusterClock clock = new ClusterClock(wallMs::get, nanos::get, () -> nanos.get() + suspended.get());

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
    void aStepOfTheWallClockBackMovesNothingAndOneAheadNoDueTime() {
        wallMs.addAndGet(-3_600_000);
        assertThat(clock.millis()).isEqualTo(5_000_000);
        wallMs.addAndGet(7_200_000);
        assertThat(clock.steady().millis()).isEqualTo(5_000_000);
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

    /** What is due by it is due by Redis, wherever on the way the answer lost its time. */
    @Test
    void theEarliestTimeIsNeverAhead() {
        long asked = clock.nanos();
        nanos.addAndGet(20 * MS);
        clock.sample(9_000_000_000L, asked);
        assertThat(clock.earliest().millis()).isEqualTo(9_000_000);
        nanos.addAndGet(40 * MS);
        assertThat(clock.earliest().millis()).isBetween(9_000_039L, 9_000_040L);
        nanos.addAndGet(100_000 * MS);
        assertThat(clock.earliest().millis()).as("clocks drift").isBetween(9_100_015L, 9_100_040L);
        sampleNow(18_000_000, 0, 0);
        assertThat(clock.earliest().millis())
                .as("the step ahead is no due time yet")
                .isLessThanOrEqualTo(clock.steady().millis());
    }

    @Test
    void anAnswerThatWasReadByAPausedProcessIsNotUsed() {
        sampleNow(9_000_000, 0, 0);
        long asked = clock.nanos();
        nanos.addAndGet(30_000 * MS);
        clock.sample(9_000_000_000L, asked);
        assertThat(clock.millis()).as("goes on by itself").isBetween(9_030_000L, 9_030_010L);
    }

    @Test
    void howeverLongTheWireIsSlowItIsNeverBehindAndAheadByAtMostARoundTrip() {
        sampleNow(9_000_000, 100, 300);
        long truthMs = 9_000_300;
        assertThat(clock.millis()).isBetween(truthMs, truthMs + 400);
        for (int i = 0; i < 100; i++) {
            nanos.addAndGet(100 * MS);
            sampleNow(truthMs + 200, 100, 300);
            truthMs += 500;
            assertThat(clock.millis()).isBetween(truthMs, truthMs + 400);
        }
        nanos.addAndGet(500 * MS);
        truthMs += 500;
        sampleNow(truthMs, 0, 0);
        assertThat(clock.millis()).as("one good answer is enough").isEqualTo(truthMs);
        assertThat(clock.jumps().count()).isZero();
    }

    @Test
    void aPoorSampleDoesNotReplaceAGoodOne() {
        sampleNow(9_000_000, 0, 0);
        nanos.addAndGet(1_000 * MS);
        sampleNow(9_001_000 + 300, 300, 0);
        assertThat(clock.millis()).isEqualTo(9_001_300);
        assertThat(clock.steady().millis()).isEqualTo(9_001_300);
    }

    @Test
    void clocksThatDriftStayTogether() {
        sampleNow(9_000_000, 0, 0);
        long sharedMicros = 9_000_000_000L;
        for (int i = 0; i < 1_000; i++) {
            // One part in ten thousand faster than this machine's clock.
            nanos.addAndGet(500 * MS);
            sharedMicros += 500_050;
            assertThat(clock.millis()).isGreaterThanOrEqualTo(sharedMicros / 1000);
            clock.sample(sharedMicros, clock.nanos());
            assertThat(clock.steady().millis()).isBetween(sharedMicros / 1000, sharedMicros / 1000 + 1);
        }
        assertThat(clock.jumps().count()).isZero();
    }

    @Test
    void aStepAheadMakesNothingEarlyAndIsMadeUpForSlowly() {
        sampleNow(9_000_000, 0, 0);
        assertThat(clock.latestDueMicros()).isEqualTo(9_000_050_001L);
        for (int i = 1; i <= 20; i++) {
            nanos.addAndGet(500 * MS);
            sampleNow(9_030_000 + i * 500, 0, 0);
            assertThat(clock.millis()).as("creation times").isEqualTo(9_030_000 + i * 500);
        }
        assertThat(clock.steady().millis()).as("due times, 10 s later").isBetween(9_010_090L, 9_010_110L);
        assertThat(clock.latestDueMicros() / 1000).isBetween(9_010_140L, 9_010_160L);
        assertThat(clock.jumps().count()).isEqualTo(1);
        assertThat(clock.jumps().behind().toMillis()).isBetween(29_800L, 30_000L);
        assertThat(clock.jumps().check().up()).isFalse();
        assertThat(clock.jumps().check().details()).containsEntry("lastJumpMs", 29_999L);
        for (int i = 21; i <= 7_000; i++) {
            nanos.addAndGet(500 * MS);
            sampleNow(9_030_000 + i * 500, 0, 0);
        }
        assertThat(clock.steady().millis()).as("an hour later").isEqualTo(clock.millis());
        assertThat(clock.jumps().behind()).isZero();
        assertThat(clock.jumps().check().up()).isTrue();
    }

    @Test
    void aShortStepAheadIsFollowedAtOnce() {
        sampleNow(9_000_000, 0, 0);
        sampleNow(9_000_049, 0, 0);
        assertThat(clock.steady().millis()).isEqualTo(9_000_049);
        assertThat(clock.jumps().check().up()).isTrue();
    }

    @Test
    void aStepBackIsFollowedAtOnceAndTold() {
        sampleNow(9_000_000, 0, 0);
        sampleNow(8_970_000, 0, 0);
        assertThat(clock.millis()).isEqualTo(8_970_000);
        assertThat(clock.steady().millis()).isEqualTo(8_970_000);
        assertThat(clock.jumps().check().details()).containsEntry("lastJumpMs", -29_999L);
        assertThat(clock.jumps().check().up()).isFalse();
        nanos.addAndGet(601_000 * MS);
        assertThat(clock.jumps().check().up()).isTrue();
    }

    @Test
    void aStepBackIsRememberedForAnHour() {
        sampleNow(9_000_000, 0, 0);
        assertThat(clock.steppedBack()).isZero();
        sampleNow(8_998_000, 0, 0);
        assertThat(clock.steppedBack()).isBetween(Duration.ofMillis(1_990), Duration.ofMillis(2_010));
        nanos.addAndGet(1_800_000 * MS);
        sampleNow(8_998_000 + 1_800_000, 0, 0);
        assertThat(clock.steppedBack()).isBetween(Duration.ofMillis(1_990), Duration.ofMillis(2_010));
        nanos.addAndGet(1_801_000 * MS);
        sampleNow(8_998_000 + 3_601_000, 0, 0);
        assertThat(clock.steppedBack()).isZero();
        sampleNow(9_020_000 + 3_601_000, 0, 0);
        assertThat(clock.steppedBack()).as("ahead").isZero();
    }

    @Test
    void aMachineThatWasSuspendedIsWrongItselfAndFollowsAtOnce() {
        sampleNow(9_000_000, 0, 0);
        long asked = clock.nanos();
        suspend(3_600_000);
        clock.sample(9_000_000_000L, asked);
        assertThat(clock.millis()).as("an answer from before the suspension").isEqualTo(12_600_000);
        sampleNow(12_600_000, 0, 0);
        assertThat(clock.millis()).isEqualTo(12_600_000);
        assertThat(clock.steady().millis()).isBetween(12_600_000L, 12_600_050L);
        assertThat(clock.jumps().count()).isZero();
    }

    @Test
    void isNotBehindAfterASuspensionAndBeforeTheNextSample() {
        suspend(1_000_000);
        assertThat(clock.millis()).as("before the first sample").isEqualTo(6_000_000);
        sampleNow(9_000_000, 0, 0);
        sampleNow(9_000_000, 0, 0);
        suspend(600_000);
        nanos.addAndGet(100 * MS);
        wallMs.addAndGet(100);
        assertThat(clock.millis()).isEqualTo(9_600_100);
        sampleNow(9_600_100, 0, 0);
        sampleNow(9_600_100, 0, 0);
        assertThat(clock.millis()).isEqualTo(9_600_100);
    }

    @Test
    void aStepOfTheWallClockAheadEndsWithTheNextSample() {
        sampleNow(9_000_000, 0, 0);
        wallMs.addAndGet(600_000);
        assertThat(clock.millis()).isEqualTo(9_600_000);
        sampleNow(9_000_000, 0, 0);
        assertThat(clock.millis()).isEqualTo(9_000_000);
        assertThat(clock.jumps().count()).isZero();
    }

    private void suspend(long milliseconds) {
        suspended.addAndGet(milliseconds * MS);
        wallMs.addAndGet(milliseconds);
    }

    @Test
    void nothingIsHeldBackBeforeTheFirstSample() {
        assertThat(clock.latestDueMicros()).isEqualTo(Long.MAX_VALUE);
        assertThat(clock.jumps().check().up()).isTrue();
        sampleNow(9_000_000, 0, 0);
        assertThat(clock.steady().millis()).isEqualTo(9_000_000);
        assertThat(clock.jumps().count()).as("the first sample is no step").isZero();
    }

    /** Asks when the shared clock shows this, less the way there. */
    private void sampleNow(long sharedMs, long wayThereMs, long wayBackMs) {
        long asked = clock.nanos();
        nanos.addAndGet((wayThereMs + wayBackMs) * MS);
        clock.sample(sharedMs * 1_000, asked);
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
