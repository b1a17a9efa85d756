package io.mykit.delay.queue.commit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The wait of a small batch for more items. At an ordinary rate, each item would be a batch of its own, and a commit costs
 * the store nearly the same for one item as for several.
 *
 * <p>The wait follows the rate. A batch waits for the next item no longer than items come apart on average, and at most the
 * longest time since its first item came. There is no wait if items are rarer, if enough items are there, or if items seldom meet
 * others: a lone caller that sends one item after the other never waits.
 *
 * <p>Callers that wait for their answers come back together. If no item came during the last commit, they are probably all
 * who are there. So the batch waits for as many items as the last batch had, and looks soon whether they are back.
 *
 * <p>A thread that lingers sleeps, and no item wakes it. Used by one thread at a time.
 */
final class Linger {
    private static final double GAP_WEIGHT = 1.0 / 8;
    private static final double COMPANY_WEIGHT = 1.0 / 16;
    /** If fewer batches than this part meet other items, no batch waits. */
    private static final double LEAST_COMPANY = 1.0 / 16;
    /** Items that come apart by more than so many longest waits are too rare. */
    private static final int RARE = 2;

    /** The time in which callers come back after an answer, in most cases. */
    private static final long RETURN_NANOS = 150_000;

    private final long longestNanos;
    private final long rareNanos;
    private final LongSupplier nanoTime;
    private final LongConsumer pause;
    private double gapNanos = Duration.ofSeconds(1).toNanos();
    private double company;
    private long takenNanos;
    private int taken;

    Linger(Duration longest) {
        this(longest, System::nanoTime, LockSupport::parkNanos);
    }

    /** @param pause lets the current thread wait */
    Linger(Duration longest, LongSupplier nanoTime, LongConsumer pause) {
        this.longestNanos = longest.toNanos();
        this.rareNanos = RARE * longestNanos;
        this.nanoTime = nanoTime;
        this.pause = pause;
        this.takenNanos = nanoTime.getAsLong();
    }

    /**
     * Waits while the wait is useful.
     *
     * @param waited whether the first item of the batch was there before this thread came for it
     * @param here reads the number of items that the batch could have now
     * @param lastCameNanos reads when the last item came, by the same clock
     */
    void await(boolean waited, IntSupplier here, LongSupplier lastCameNanos) {
        long sinceNanos = nanoTime.getAsLong() - takenNanos;
        boolean rare = gapNanos > rareNanos || (!waited && sinceNanos > rareNanos);
        if (rare || company < LEAST_COMPANY) {
            return;
        }
        // An item that was there before came after the last batch was taken.
        long leftNanos = longestNanos - (waited ? sinceNanos : 0);
        boolean mayBeAll = !waited && taken > 1 && taken < GroupCommit.ENOUGH;
        int enough = mayBeAll ? taken : GroupCommit.ENOUGH;
        long lookNanos = mayBeAll ? RETURN_NANOS : longestNanos;
        while (leftNanos > 0 && here.getAsInt() < enough) {
            long nowNanos = nanoTime.getAsLong();
            long quietNanos = (long) gapNanos - (nowNanos - lastCameNanos.getAsLong());
            if (quietNanos <= 0) {
                return;
            }
            pause.accept(Math.min(lookNanos, Math.min(leftNanos, quietNanos)));
            leftNanos -= nanoTime.getAsLong() - nowNanos;
            lookNanos = longestNanos;
        }
    }

    /**
     * Notes that a batch was taken.
     *
     * @param items the number of items in the batch
     * @param waited as for {@link #await}
     */
    void took(int items, boolean waited) {
        long nowNanos = nanoTime.getAsLong();
        gapNanos += GAP_WEIGHT * ((double) (nowNanos - takenNanos) / items - gapNanos);
        company += COMPANY_WEIGHT * ((waited || items > 1 ? 1 : 0) - company);
        takenNanos = nowNanos;
        taken = items;
    }
}
