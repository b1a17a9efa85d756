package io.mykit.delay.queue.leader;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * One leadership, from election to loss. The epoch is the fencing number: it is greater than that of every earlier
 * term, and every script that moves messages carries it. (Martin Kleppmann, How to do distributed locking, 2016.)
 *
 * <p>Thread-safe. Once inactive, for ever inactive.
 */
public final class LeaderTerm {
    private final long epoch;
    private final Runnable onFenced;
    private final BooleanSupplier confirmed;
    private final AtomicBoolean active = new AtomicBoolean(true);

    /**
     * @param epoch the fencing number
     * @param onFenced told once, from the thread that found out, when somebody else was seen to lead; must not block
     */
    public LeaderTerm(long epoch, Runnable onFenced) {
        this(epoch, onFenced, () -> true);
    }

    /** @param confirmed asks the registry, see {@link #isConfirmed} */
    public LeaderTerm(long epoch, Runnable onFenced, BooleanSupplier confirmed) {
        this.epoch = epoch;
        this.onFenced = onFenced;
        this.confirmed = confirmed;
    }

    public long epoch() {
        return epoch;
    }

    /** False as soon as leadership is in doubt. Loops look here before each step. */
    public boolean isActive() {
        return active.get();
    }

    /**
     * Whether the term goes on according to the registry, which is asked now: a process that was frozen looks active until it
     * hears of its end. Blocks; for rare cases.
     *
     * @throws RuntimeException if the registry cannot be asked
     */
    public boolean isConfirmed() {
        return isActive() && confirmed.getAsBoolean() && isActive();
    }

    /** The elector's: leadership is over or in doubt. Takes effect at once. */
    public void revoke() {
        active.set(false);
    }

    /** The worker's: a higher epoch was seen, so this term is over. The elector lays it down and contends again. */
    public void fenced() {
        if (active.getAndSet(false)) {
            onFenced.run();
        }
    }

    @Override
    public String toString() {
        return "LeaderTerm[epoch=" + epoch + ", active=" + active + "]";
    }
}
