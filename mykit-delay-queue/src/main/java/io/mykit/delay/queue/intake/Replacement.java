package io.mykit.delay.queue.intake;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.withdrawal.Withdrawals;
import java.time.InstantSource;

/**
 * Replaces a message. A message that is not yet due gets new content and a new due time, as its next version; see {@link
 * VersionStep}. A message that was cancelled, has expired or is a dead letter becomes a new message. Thread-safe; blocks.
 */
public final class Replacement {
    private static final int TRIES = 6;

    private final MessageStore store;
    private final VersionStep step;

    public Replacement(MessageStore store, MessageIndex index, Scheduling scheduling, InstantSource clock) {
        this.store = store;
        this.step = new VersionStep(store, index, scheduling, clock);
    }

    /**
     * Replaces a message.
     *
     * @throws DelayException ALREADY_DISPATCHED, STORE_UNAVAILABLE or INDEX_UNAVAILABLE: nothing was changed.
     *     OUTCOME_UNKNOWN: the change may have been made; the same push again gives the answer
     */
    void replace(DelayMessage message, StoredMessage existing) {
        StoredMessage old = existing;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            if (tryReplace(message, old)) {
                return;
            }
            StoredMessage before = old;
            old = store.find(message.id()).orElseThrow(() -> VersionStep.tooLate(before));
        }
        throw VersionStep.tooLate(old);
    }

    private boolean tryReplace(DelayMessage message, StoredMessage old) {
        if (old.status() == MessageStatus.FINISH) {
            throw VersionStep.tooLate(old);
        }
        return old.status().isUnfinished()
                ? step.change(message, old, "replaced", Withdrawals::takeOutOrphan)
                : step.rewrite(message, old, "replaced");
    }
}
