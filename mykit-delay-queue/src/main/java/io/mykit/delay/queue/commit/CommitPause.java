package io.mykit.delay.queue.commit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The pause between two commits: after a commit, waits briefly so that callers that just got their answer can share the next
 * transaction. Without it, callers that wait for their answers stay in two halves: one half is being written while the
 * other half waits, and a transaction costs the store nearly the same for half as many items.
 *
 * <p>The pause is not a fixed delay. It happens only if no item came during the last part of a commit, so all callers
 * seem to wait for an answer. It ends as soon as items come too slowly, or as many are there as before, and takes at most
 * half of the time of the commit. A lone caller and a steady stream never wait.
 *
 * <p>With several lanes, each lane has a pause of its own: the callers that it answered come back together. The callers of the
 * other lanes come in the first part of its commit. Used by one thread.
 */
final class CommitPause {
    /** A larger transaction hardly costs less for each item. */
    private static final int MAX_EXPECTED = 64;
    /** Fewer items have nothing to gain from a pause. */
    private static final int MIN_ITEMS = 8;

    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(150);
    /** The pause ends if less than this part of the expected items came from one look to the next. */
    private static final int ARRIVAL_PART = 16;
    /** No item came during this part of the commit; the part is smaller with several lanes. */
    private static final int SILENT_PART = 2;

    private final int silentPart;
    private final LongSupplier nanoTime;
    private final LongConsumer pause;
    private int expected;
    private long untilNanos;

    CommitPause(int lanes) {
        this(lanes, System::nanoTime, LockSupport::parkNanos);
    }

    CommitPause(int lanes, LongSupplier nanoTime, LongConsumer pause) {
        this.silentPart = SILENT_PART * lanes;
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    /**
     * Notes the end of a commit.
     *
     * @param answered the number of items that the commit answered
     * @param waiting the number of items that came during the commit
     * @param lastCameNanos the time when the last of all these items came, by the same clock
     */
    void ended(int answered, int waiting, long tookNanos, long lastCameNanos) {
        long now = nanoTime.getAsLong();
        int all = answered + waiting;
        boolean silent = now - lastCameNanos > tookNanos / silentPart;
        expected = silent && all >= MIN_ITEMS ? Math.min(all, MAX_EXPECTED) : 0;
        untilNanos = now + Math.min(tookNanos / 2, LONGEST_NANOS);
    }

    /**
     * Waits while the pause is useful.
     *
     * @param here reads the number of items that wait now
     */
    void await(IntSupplier here) {
        int least = Math.max(1, expected / ARRIVAL_PART);
        int now = here.getAsInt();
        int before = now - least;
        while (now < expected && now - before >= least && nanoTime.getAsLong() - untilNanos < 0) {
            pause.accept(LOOK_NANOS);
            before = now;
            now = here.getAsInt();
        }
    }
}
