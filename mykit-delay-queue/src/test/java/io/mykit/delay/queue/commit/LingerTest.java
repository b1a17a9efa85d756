package io.mykit.delay.queue.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LingerTest {
    private static final long LONGEST = Duration.ofMillis(2).toNanos();
    private static final long MILLISECOND = Duration.ofMillis(1).toNanos();
    private static final int MANY = 200;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
    private final AtomicLong lastCame = new AtomicLong();
    private final AtomicInteger here = new AtomicInteger(1);
    /** Time from one item to the next while a batch waits; 0 = no item comes. */
    private long comeEveryNanos;

    private Linger linger = new Linger(Duration.ofNanos(LONGEST), nanos::get, this::pass);

    @Test
    void aCallerThatIsAloneNeverWaits() {
        for (int i = 0; i < MANY; i++) {
            pass(MILLISECOND / 2);
            assertThat(waits(false)).isZero();
            linger.took(1, false);
        }
    }

    @Test
    void waitsForTheNextItemAtAnOrdinaryRate() {
        busy(2 * MILLISECOND);
        assertThat(waits(false)).isBetween(LONGEST * 99 / 100, LONGEST);
    }

    @Test
    void waitsNoLongerThanItemsComeApart() {
        busy(MILLISECOND / 2);
        assertThat(waits(false)).isBetween(MILLISECOND / 2 - 1000, MILLISECOND / 2 + 1000);
    }

    @Test
    void waitsOnWhileItemsComeForTheLongestTime() {
        busy(MILLISECOND / 2);
        comeEveryNanos = MILLISECOND / 4;
        assertThat(waits(false)).isEqualTo(LONGEST);
        assertThat(here).hasValue(1 + 8);
    }

    /** Two callers, for example, that send one item after the other. */
    @Test
    void waitsOnlyForTheCallersThatWereAnsweredTogether() {
        busy(MILLISECOND);
        linger.took(2, false);
        comeEveryNanos = 100_000;
        assertThat(waits(false)).isEqualTo(150_000);
        assertThat(here).hasValue(2);
    }

    @Test
    void waitsAsBeforeIfTheCallersDoNotComeBack() {
        busy(MILLISECOND);
        linger.took(2, false);
        assertThat(waits(false)).isBetween(MILLISECOND * 85 / 100, MILLISECOND);
    }

    @Test
    void doesNotWaitForMoreThanEnough() {
        busy(MILLISECOND / 2);
        here.set(GroupCommit.ENOUGH);
        assertThat(waits(false)).isZero();
    }

    @Test
    void countsTheTimeForWhichTheFirstItemHasWaited() {
        busy(2 * MILLISECOND);
        pass(LONGEST * 3 / 4);
        assertThat(waits(true)).isEqualTo(LONGEST / 4);
        linger.took(1, true);
        pass(LONGEST);
        assertThat(waits(true)).isZero();
    }

    @Test
    void doesNotWaitForRareItems() {
        busy(5 * MILLISECOND);
        assertThat(waits(false)).isZero();
    }

    @Test
    void doesNotWaitForTheFirstItemAfterASilence() {
        busy(MILLISECOND / 2);
        pass(Duration.ofSeconds(10).toNanos());
        assertThat(waits(false)).isZero();
    }

    @Test
    void forgetsTheCompanyOfACallerThatIsAloneNow() {
        busy(MILLISECOND);
        for (int i = 0; i < MANY; i++) {
            pass(MILLISECOND);
            linger.took(1, false);
        }
        assertThat(waits(false)).isZero();
    }

    @Test
    void neverWaitsIfTheLongestWaitIsZero() {
        linger = new Linger(Duration.ZERO, nanos::get, this::pass);
        busy(1);
        assertThat(waits(true)).isZero();
        assertThat(waits(false)).isZero();
    }

    /** Items come at this distance for a while, and meet others. */
    private void busy(long gapNanos) {
        for (int i = 0; i < MANY; i++) {
            pass(gapNanos);
            linger.took(1, true);
        }
    }

    /** The first item comes now, unless it has waited. */
    private long waits(boolean waited) {
        long begunNanos = nanos.get();
        lastCame.set(begunNanos);
        linger.await(waited, here::get, lastCame::get);
        return nanos.get() - begunNanos;
    }

    private void pass(long howLong) {
        nanos.addAndGet(howLong);
        if (comeEveryNanos > 0) {
            here.addAndGet((int) (howLong / comeEveryNanos));
            lastCame.set(nanos.get());
        }
    }
}
