package io.mykit.delay.queue.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CommitPauseTest {
    private static final long COMMIT_NANOS = Duration.ofMillis(2).toNanos();

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
    private final AtomicInteger here = new AtomicInteger(1);
    private final AtomicInteger looks = new AtomicInteger();
    private int comePerLook;

    private final CommitPause gathering = new CommitPause(1, nanos::get, pause -> {
        nanos.addAndGet(pause);
        looks.incrementAndGet();
        here.addAndGet(comePerLook);
    });

    @Test
    void aProducerThatIsAloneNeverWaits() {
        gathering.await(here::get);
        commitEnded(1, 0, COMMIT_NANOS);
        gathering.await(here::get);
        assertThat(looks).hasValue(0);
    }

    @Test
    void waitsUntilAsManyAreBackAsThereWere() {
        comePerLook = 21;
        commitEnded(32, 32, COMMIT_NANOS);
        gathering.await(here::get);
        assertThat(here).hasValue(1 + 3 * 21);
    }

    @Test
    void doesNotWaitForMoreThanEnough() {
        comePerLook = 1;
        here.set(64);
        commitEnded(128, 128, COMMIT_NANOS);
        gathering.await(here::get);
        assertThat(looks).hasValue(0);
    }

    @Test
    void doesNotWaitWhenNobodyComes() {
        commitEnded(32, 32, COMMIT_NANOS);
        gathering.await(here::get);
        assertThat(looks).hasValue(1);
    }

    @Test
    void doesNotWaitForWhoComesAnyway() {
        comePerLook = 21;
        gathering.ended(32, 32, COMMIT_NANOS, nanos.get() - COMMIT_NANOS / 3);
        gathering.await(here::get);
        assertThat(looks).hasValue(0);
    }

    /** The callers of the other lane come in the first part of a commit. */
    @Test
    void withTwoLanesWaitsForTheCallersOfItsOwnLane() {
        comePerLook = 21;
        CommitPause ofLane = new CommitPause(2, nanos::get, pause -> {
            nanos.addAndGet(pause);
            here.addAndGet(comePerLook);
        });
        ofLane.ended(32, 0, COMMIT_NANOS, nanos.get() - COMMIT_NANOS / 3);
        ofLane.await(here::get);
        assertThat(here).hasValue(1 + 2 * 21);
    }

    @Test
    void doesNotWaitForAHandful() {
        comePerLook = 1;
        commitEnded(4, 3, COMMIT_NANOS);
        gathering.await(here::get);
        assertThat(looks).hasValue(0);
    }

    @Test
    void doesNotWaitForATrickle() {
        comePerLook = 3;
        commitEnded(32, 32, COMMIT_NANOS);
        gathering.await(here::get);
        assertThat(looks).hasValue(1);
    }

    @Test
    void waitsForHalfACommitAtMost() {
        comePerLook = 4;
        long start = nanos.get();
        commitEnded(500, 500, COMMIT_NANOS);
        gathering.await(here::get);
        assertThat(nanos.get() - start).isBetween(COMMIT_NANOS / 2, COMMIT_NANOS / 2 + 200_000);
    }

    @Test
    void waitsForTwoMillisecondsAtMostAfterACommitThatHung() {
        comePerLook = 4;
        long start = nanos.get();
        commitEnded(500, 500, Duration.ofSeconds(10).toNanos());
        gathering.await(here::get);
        assertThat(nanos.get() - start).isBetween(2_000_000L, 2_200_000L);
    }

    @Test
    void forgetsWhoWasThereLongAgo() {
        comePerLook = 1;
        commitEnded(500, 500, COMMIT_NANOS);
        nanos.addAndGet(COMMIT_NANOS);
        gathering.await(here::get);
        assertThat(looks).hasValue(0);
    }

    /** All producers had come before its last part. */
    private void commitEnded(int answered, int waiting, long tookNanos) {
        gathering.ended(answered, waiting, tookNanos, nanos.get() - tookNanos);
    }
}
