package io.mykit.delay.queue.intake;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Gives an unfinished message another due time, as its next version; see {@link VersionStep}. Its content stays. Its attempts and
 * its ttl begin anew, as after a replace. A due message can be rescheduled as long as no delivery of it can be under way, and its receiver
 * did not get it. Thread-safe; blocks.
 */
public final class Rescheduler {
    private static final int TRIES = 6;

    private final MessageStore store;
    private final VersionStep step;
    private final InstantSource clock;

    public Rescheduler(MessageStore store, MessageIndex index, Scheduling scheduling, InstantSource clock) {
        this.store = store;
        this.step = new VersionStep(store, index, scheduling, clock);
        this.clock = clock;
    }

    /**
     * Moves the due time of a message. A time in the past means now.
     *
     * @return the new due time, epoch milliseconds; empty if no message has this id
     * @throws DelayException ALREADY_DISPATCHED, ALREADY_FINISHED, STORE_UNAVAILABLE or INDEX_UNAVAILABLE: nothing was changed.
     *     OUTCOME_UNKNOWN: the change may have been made; the same call again gives the answer
     */
    public Optional<Long> reschedule(String id, long dueTimeMs) {
        StoredMessage old = null;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Optional<StoredMessage> found = store.find(id);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            old = found.get();
            if (!old.status().isUnfinished()) {
                throw new DelayException(
                        ErrorCode.ALREADY_FINISHED,
                        "message " + id + " has ended as " + old.status() + "; /reStoreJob puts it back");
            }
            DelayMessage next = old.message().dueAt(Math.max(dueTimeMs, clock.millis()));
            if (step.change(next, old, "rescheduled")) {
                return Optional.of(next.dueTimeMs());
            }
        }
        throw VersionStep.tooLate(old);
    }
}
