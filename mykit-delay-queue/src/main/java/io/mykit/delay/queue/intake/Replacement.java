package io.mykit.delay.queue.intake;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.queue.withdrawal.Withdrawal;
import io.mykit.delay.queue.withdrawal.Withdrawals;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Replaces a message. A message that is not yet due gets new content and a new due time, as its next version. A
 * message that was cancelled, has expired or is a dead letter becomes a new message. Thread-safe; blocks.
 *
 * <p>The removal of the old version from the index decides the race with the scanner, as with a cancel. If the index
 * does not know the message, a veto keeps the message out of the index until the row has changed. The row decides
 * between two replacements: each replacement builds on the version that it read.
 *
 * <p>A crash after the removal leaves the old row, and the auditor schedules it. The producer got no answer.
 */
public final class Replacement {
    private static final int TRIES = 6;

    private final MessageStore store;
    private final Withdrawals withdrawals;
    private final Scheduling scheduling;
    private final InstantSource clock;

    public Replacement(MessageStore store, MessageIndex index, Scheduling scheduling, InstantSource clock) {
        this.store = store;
        this.withdrawals = new Withdrawals(store, index);
        this.scheduling = scheduling;
        this.clock = clock;
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
            old = store.find(message.id()).orElseThrow(() -> tooLate(message));
        }
        throw tooLate(message);
    }

    private boolean tryReplace(DelayMessage message, StoredMessage old) {
        if (old.status() == MessageStatus.FINISH) {
            throw tooLate(message);
        }
        if (!old.status().isUnfinished()) {
            return rewrite(message, old);
        }
        try (Withdrawal withdrawal = withdrawals.remove(message.id())) {
            return switch (withdrawal.found()) {
                case REMOVED -> withdrawal.commitIf(rewrite(message, old));
                case VETOED, UNKNOWN -> replaceUnknown(message, old, withdrawal);
                case TOO_LATE -> replaceOrphan(message, old);
                case DELIVERED -> throw tooLate(message);
            };
        }
    }

    private boolean replaceOrphan(DelayMessage message, StoredMessage old) {
        if (!withdrawals.takeOutOrphan(old.state(), clock.millis())) {
            throw tooLate(message);
        }
        return rewrite(message, old);
    }

    private boolean replaceUnknown(DelayMessage message, StoredMessage old, Withdrawal unknown) {
        if (old.status() == MessageStatus.WAIT_PUT) {
            return rewrite(message, old);
        }
        if (old.message().dueTimeMs() <= clock.millis()) {
            unknown.requireDecided(message.id(), "push again");
            // The message is due, and the index does not know it. Nothing tells whether a delivery is under way.
            throw tooLate(message);
        }
        Optional<Withdrawal> keptOut = withdrawals.veto(old.message().ref());
        if (keptOut.isEmpty()) {
            return false;
        }
        try (Withdrawal withdrawal = keptOut.get()) {
            return withdrawal.commitIf(rewrite(message, old));
        }
    }

    private boolean rewrite(DelayMessage message, StoredMessage old) {
        DelayMessage next = message.asVersion(old.message().version() + 1);
        MessageStatus status = scheduling.initialStatus(next);
        long nowMs = clock.millis();
        Transition.Step last = new Transition.Step(status, nowMs, "replaced");
        List<Transition.Step> steps = old.status().isUnfinished()
                ? List.of(last)
                : List.of(new Transition.Step(MessageStatus.RESTORE, nowMs, "pushed again"), last);
        Transition change = new Transition(next.id(), old.message().version(), old.status(), steps, "intake", 0);
        boolean replaced = store.rewrite(next, change);
        if (replaced) {
            scheduling.schedule(List.of(new NewMessage(next, status)));
        }
        return replaced;
    }

    private static DelayException tooLate(DelayMessage message) {
        return new DelayException(ErrorCode.ALREADY_DISPATCHED, "message " + message.id() + " is already dispatched");
    }
}
