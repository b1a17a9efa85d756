package io.mykit.delay.queue.withdrawal;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Removal;

/**
 * A message that stays out of the index while its row changes. A caller uses it in a try block: it changes the row,
 * and then calls {@link #commit} if the message is to stay out. Without a commit, {@link #close} restores the state
 * of the index. Used by one thread.
 */
public final class Withdrawal implements AutoCloseable {
    private final Removal removal;
    private final Rollback rollback;
    private boolean done;
    private boolean changedByAnother;

    Withdrawal(Removal removal, Rollback rollback) {
        this.removal = removal;
        this.rollback = rollback;
    }

    /**
     * The place where the index had the message. REMOVED = the message waited or was ready, and is out of the index now. UNKNOWN =
     * the index did not know the message. VETOED = the same, and another call keeps the message out. TOO_LATE and DELIVERED = the message stays where it is.
     */
    public Removal.Kind found() {
        return removal.kind();
    }

    /** Whether the message that was taken out was in its ready list, and an attempt to deliver it may have reached its receiver. */
    public boolean wasReadyAndAttempted() {
        return removal.wasReady() && removal.attempted();
    }

    /** Whether an attempt to deliver the message that was taken out may have reached its receiver, as far as the index knows. */
    public boolean attempted() {
        return removal.attempted();
    }

    /** The message that was taken out; null unless {@link #found} is REMOVED. */
    public DelayMessage message() {
        return removal.message();
    }

    /**
     * Requires that no other call keeps the message out. For a message that is due: that call decides whether the message is
     * cancelled or delivered. The veto of a call that was cut ends after 20 s.
     *
     * @param advice what the caller should do, for the error
     * @throws DelayException OUTCOME_UNKNOWN if another call keeps the message out
     */
    public void requireDecided(String id, String advice) {
        if (found() == Removal.Kind.VETOED) {
            throw new DelayException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "another cancel or replacement of message " + id + " has not ended; " + advice);
        }
    }

    /** The message stays out. */
    public void commit() {
        done = true;
    }

    /** Commits if the row was changed, and notes otherwise that another call changed it; returns its parameter. */
    public boolean commitIf(boolean changed) {
        done |= changed;
        changedByAnother = !changed;
        return changed;
    }

    /** Puts the message back to its place in the index, unless the withdrawal was committed. */
    @Override
    public void close() {
        if (!done) {
            done = true;
            rollback.run(changedByAnother);
        }
    }

    /** Restores the state of the index from before. */
    @FunctionalInterface
    interface Rollback {
        /**
         * Throws nothing.
         *
         * @param changed whether another call changed the row meanwhile
         */
        void run(boolean changed);
    }
}
