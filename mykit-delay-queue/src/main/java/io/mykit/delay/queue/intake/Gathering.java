package io.mykit.delay.queue.intake;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Lets those who were just answered come back before the next batch begins. Producers that wait for their answers would
 * otherwise stay in two halves for ever: one is being written while the other waits, and a transaction costs the store
 * nearly the same for half as many.
 *
 * <p>No fixed delay: only where nobody came during the last part of a commit, because everybody waits for an answer; only
 * as long as they come in a throng then, up to as many as there were, and for half of what the commit took at most. A
 * producer that is alone never waits, where many are there nobody has to, and a steady stream is left alone. Used by the
 * intake's thread only.
 */
final class Gathering {
    /** A transaction of so many costs hardly less for each when it grows. */
    private static final int ENOUGH = 64;
    /** Of so few there is nothing to gain. */
    private static final int FEW = 8;

    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(150);
    /** If not even this part of all came from one look to the next, the others will not come soon. */
    private static final int THRONG = 16;
    /** The part of a commit during which nobody came. */
    private static final int SILENCE = 2;

    private final LongSupplier nanoTime;
    private final LongConsumer pause;
    private int expected;
    private long untilNanos;

    Gathering() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    Gathering(LongSupplier nanoTime, LongConsumer pause) {
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    /**
     * A commit has ended.
     *
     * @param answered by it
     * @param waiting that came meanwhile
     * @param lastCameNanos when the last of them came, or one of those answered; by the same clock
     */
    void ended(int answered, int waiting, long tookNanos, long lastCameNanos) {
        long now = nanoTime.getAsLong();
        int all = answered + waiting;
        boolean silence = now - lastCameNanos > tookNanos / SILENCE;
        expected = silence && all >= FEW ? Math.min(all, ENOUGH) : 0;
        untilNanos = now + Math.min(tookNanos / 2, LONGEST_NANOS);
    }

    /** @param here how many are there now */
    void await(IntSupplier here) {
        int throng = Math.max(1, expected / THRONG);
        int now = here.getAsInt();
        int before = now - throng;
        while (now < expected && now - before >= throng && nanoTime.getAsLong() - untilNanos < 0) {
            pause.accept(LOOK_NANOS);
            before = now;
            now = here.getAsInt();
        }
    }
}
