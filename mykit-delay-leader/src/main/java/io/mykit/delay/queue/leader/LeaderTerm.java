package io.mykit.delay.queue.leader;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One leadership, from election to loss. The epoch is its fencing number: it is greater than the epoch of every earlier term,
 * and every script that moves messages carries it. (Martin Kleppmann, How to do distributed locking, 2016.)
 *
 * <p>Thread-safe. A term that is inactive never becomes active again.
 */
public final class LeaderTerm {
    private final long epoch;
    private final Runnable onFenced;
    private final Consumer<String> onGivenUp;
    private final BooleanSupplier confirmed;
    private final AtomicBoolean active = new AtomicBoolean(true);

    /**
     * @param epoch the fencing number
     * @param onFenced called once, when another leader with a higher epoch was seen, by the thread that saw it; must not
     *     block
     */
    public LeaderTerm(long epoch, Runnable onFenced) {
        this(epoch, onFenced, () -> true);
    }

    /** @param confirmed asks the registry, see {@link #isConfirmed} */
    public LeaderTerm(long epoch, Runnable onFenced, BooleanSupplier confirmed) {
        this(epoch, onFenced, why -> {}, confirmed);
    }

    /** @param onGivenUp see {@link #giveUp}; must not block */
    public LeaderTerm(long epoch, Runnable onFenced, Consumer<String> onGivenUp, BooleanSupplier confirmed) {
        this.epoch = epoch;
        this.onFenced = onFenced;
        this.onGivenUp = onGivenUp;
        this.confirmed = confirmed;
    }

    public long epoch() {
        return epoch;
    }

    /** False as soon as leadership is uncertain. Loops check it before each step. */
    public boolean isActive() {
        return active.get();
    }

    /**
     * Asks the registry whether the term goes on. A process that was frozen stays active until it gets the event of its loss.
     * Blocks; for rare cases.
     *
     * @throws RuntimeException if the registry cannot be asked
     */
    public boolean isConfirmed() {
        return isActive() && confirmed.getAsBoolean() && isActive();
    }

    /** Called by the elector: leadership is over or uncertain. Takes effect at once. */
    public void revoke() {
        active.set(false);
    }

    /**
     * Called by the leader's work: a higher epoch was seen, so this term is over. The elector ends the duty and contends
     * again.
     */
    public void fenced() {
        if (active.getAndSet(false)) {
            onFenced.run();
        }
    }

    /**
     * The work of this term does not go on in this process. The elector ends the duty in order, and contends again. The term is
     * active until then, so the caller calls it again as long as that has not happened.
     *
     * @param why for the log
     */
    public void giveUp(String why) {
        if (isActive()) {
            onGivenUp.accept(why);
        }
    }

    @Override
    public String toString() {
        return "LeaderTerm[epoch=" + epoch + ", active=" + active + "]";
    }
}
