package io.mykit.delay.queue.withdrawal;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Removal;

/**
 * A message that stays out of the index while its row changes. A caller uses it in a try block: it changes the row,
 * and then calls {@link #commit} if the message is to stay out. Without a commit, {@link #close} restores the state
 * of the index. Used by one thread.
 */
public final class Withdrawal implements AutoCloseable {
    private final Removal removal;
    private final Runnable rollback;
    private boolean done;

    /** @param rollback restores the state of the index from before; throws nothing */
    Withdrawal(Removal removal, Runnable rollback) {
        this.removal = removal;
        this.rollback = rollback;
    }

    /**
     * The place where the index had the message. REMOVED = the message waited, and is out of the index now. UNKNOWN =
     * the index did not know the message. TOO_LATE and DELIVERED = the message stays where it is.
     */
    public Removal.Kind found() {
        return removal.kind();
    }

    /** The message that was taken out; null unless {@link #found} is REMOVED. */
    public DelayMessage message() {
        return removal.message();
    }

    /** The message stays out. */
    public void commit() {
        done = true;
    }

    /** Commits if the row was changed; returns its parameter. */
    public boolean commitIf(boolean changed) {
        done |= changed;
        return changed;
    }

    /** Puts the message back to its place in the index, unless the withdrawal was committed. */
    @Override
    public void close() {
        if (!done) {
            done = true;
            rollback.run();
        }
    }
}
