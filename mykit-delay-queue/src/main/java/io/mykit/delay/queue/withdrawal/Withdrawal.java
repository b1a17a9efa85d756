package io.mykit.delay.queue.withdrawal;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Removal;

/**
 * A message that is kept out of the index while its row changes. Closing it puts everything back, unless it was committed.
 * Used by one thread.
 */
public final class Withdrawal implements AutoCloseable {
    private final Removal removal;
    private final Runnable rollback;
    private boolean done;

    /** @param rollback puts the index back into the state before; throws nothing */
    Withdrawal(Removal removal, Runnable rollback) {
        this.removal = removal;
        this.rollback = rollback;
    }

    /**
     * How the index had the message: REMOVED = it waited, and is out; UNKNOWN = it was not there; TOO_LATE and DELIVERED = it
     * stays as it is.
     */
    public Removal.Kind found() {
        return removal.kind();
    }

    /** The message that is out; null unless {@link #found} is REMOVED. */
    public DelayMessage message() {
        return removal.message();
    }

    /** The message stays out. */
    public void commit() {
        done = true;
    }

    /** Commits if the row changed; returns whether it did. */
    public boolean commitIf(boolean changed) {
        done |= changed;
        return changed;
    }

    /** Without a commit before: the message is where it was. */
    @Override
    public void close() {
        if (!done) {
            done = true;
            rollback.run();
        }
    }
}
