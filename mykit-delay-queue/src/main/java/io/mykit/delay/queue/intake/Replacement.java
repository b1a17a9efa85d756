package io.mykit.delay.queue.intake;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.time.InstantSource;
import java.util.List;

/**
 * Gives a message that is not yet due new content and a new due time.
 *
 * <p>As with a cancel, taking the old one out of the index decides the race with the scanner, and what is not there is kept
 * out of it until the row has changed. A crash after that leaves the old row, and the auditor schedules it; the producer
 * was not answered.
 */
public final class Replacement {
    private static final int TRIES = 3;

    private final MessageStore store;
    private final BucketIndex index;
    private final Scheduling scheduling;
    private final InstantSource clock;

    public Replacement(MessageStore store, BucketIndex index, Scheduling scheduling, InstantSource clock) {
        this.store = store;
        this.index = index;
        this.scheduling = scheduling;
        this.clock = clock;
    }

    /** Throws ALREADY_DISPATCHED, ALREADY_FINISHED, STORE_UNAVAILABLE or INDEX_UNAVAILABLE; then nothing changed. */
    void replace(DelayMessage message, StoredMessage existing) {
        StoredMessage old = existing;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            if (tryReplace(message, old)) {
                return;
            }
            old = store.find(message.id()).orElseThrow(() -> tooLate(message));
        }
        throw tooLate(message);
    }

    private boolean tryReplace(DelayMessage message, StoredMessage old) {
        if (!old.status().isUnfinished()) {
            throw old.status() == MessageStatus.FINISH ? tooLate(message) : finished(message, old);
        }
        Removal removal = index.remove(message.id());
        if (removal.kind() == Removal.Kind.TOO_LATE || (removal.kind() == Removal.Kind.UNKNOWN && mayBeOnItsWay(old))) {
            throw tooLate(message);
        }
        boolean vetoed = removal.kind() == Removal.Kind.UNKNOWN && old.status() != MessageStatus.WAIT_PUT;
        if (vetoed && !index.veto(List.of(message.id())).isEmpty()) {
            return false;
        }
        MessageStatus status = scheduling.initialStatus(message);
        Transition.Step step = new Transition.Step(status, clock.millis(), "replaced");
        boolean replaced = false;
        try {
            replaced = store.rewrite(message, new Transition(message.id(), old.status(), List.of(step), "intake", 0));
        } finally {
            if (vetoed && !replaced) {
                index.lift(message.id());
            } else if (!replaced && removal.kind() == Removal.Kind.REMOVED) {
                index.reschedule(removal.message());
            }
        }
        if (replaced) {
            scheduling.reschedule(new NewMessage(message, status));
            if (status == MessageStatus.WAIT_PUT) {
                // The loader must not find the removal's veto, should the horizon be short.
                index.lift(message.id());
            }
        }
        return replaced;
    }

    private boolean mayBeOnItsWay(StoredMessage old) {
        return old.status() != MessageStatus.WAIT_PUT && old.message().dueTimeMs() <= clock.millis();
    }

    private static DelayException tooLate(DelayMessage message) {
        return new DelayException(ErrorCode.ALREADY_DISPATCHED, "message " + message.id() + " is already dispatched");
    }

    private static DelayException finished(DelayMessage message, StoredMessage old) {
        return new DelayException(
                ErrorCode.ALREADY_FINISHED, "message " + message.id() + " has ended as " + old.status());
    }
}
