package io.mykit.delay.queue.intake;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.queue.withdrawal.DeliveryDoubt;
import io.mykit.delay.queue.withdrawal.Withdrawal;
import io.mykit.delay.queue.withdrawal.Withdrawals;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Gives a message its next version. Thread-safe; blocks.
 *
 * <p>The removal of the old version from the index decides the race with its delivery, as with a cancel. A due message whose last
 * attempt may have reached its receiver is not changed: the receiver could show the old version after the answer. If the index does not
 * know the message, a veto keeps the message out of the index until the row has changed. The row decides between two changes:
 * each change builds on the version that it read.
 *
 * <p>A failover may forget the removal, and the old version may be in delivery before the row changes. So for a message that is due
 * by then, the index is asked once more after the change, and the answer is OUTCOME_UNKNOWN if such a delivery may go on.
 *
 * <p>A crash after the removal leaves the old row, and the auditor schedules it. The caller got no answer.
 */
final class VersionStep {
    private final MessageStore store;
    private final Withdrawals withdrawals;
    private final DeliveryDoubt doubt;
    private final Scheduling scheduling;
    private final InstantSource clock;

    VersionStep(MessageStore store, MessageIndex index, Scheduling scheduling, InstantSource clock) {
        this.store = store;
        this.withdrawals = new Withdrawals(store, index);
        this.doubt = new DeliveryDoubt(index);
        this.scheduling = scheduling;
        this.clock = clock;
    }

    /**
     * Changes an unfinished message.
     *
     * @param next the new content and due time, of any version
     * @return false if the row changed in between; then the caller reads it and tries again
     * @throws DelayException ALREADY_DISPATCHED, STORE_UNAVAILABLE or INDEX_UNAVAILABLE: nothing was changed. OUTCOME_UNKNOWN:
     *     the change may have been made
     */
    boolean change(DelayMessage next, StoredMessage old, String why) {
        try (Withdrawal withdrawal = takeOut(old.message().ref()).orElse(null)) {
            return withdrawal != null && changeFound(next, old, why, withdrawal);
        }
    }

    /** Returns empty if another call has changed the row since it was read. */
    private Optional<Withdrawal> takeOut(MessageRef read) {
        Optional<Withdrawal> found = withdrawals.remove(read);
        if (found.isPresent() || isOutdated(read)) {
            return found;
        }
        // The database has lost the version of the index, in a failover.
        return Optional.of(withdrawals.remove(read.id()));
    }

    private boolean isOutdated(MessageRef read) {
        return store.states(List.of(read.id())).stream().noneMatch(row -> row.version() == read.version());
    }

    private boolean changeFound(DelayMessage next, StoredMessage old, String why, Withdrawal found) {
        return switch (found.found()) {
            case REMOVED -> changeRemoved(next, old, why, found);
            case VETOED, UNKNOWN -> changeUnknown(next, old, why, found);
            case TOO_LATE -> changeOrphan(next, old, why);
            case DELIVERED -> throw inDelivery(old);
        };
    }

    private boolean changeRemoved(DelayMessage next, StoredMessage old, String why, Withdrawal removed) {
        if (removed.message().version() < old.message().version()) {
            // The index had an older version, which stays out. The current version is on its way into the index.
            removed.commit();
            return changeUnknown(next, old, why, removed);
        }
        if (removed.wasReadyAndAttempted()) {
            throw tooLate(old);
        }
        return changeTakenOut(next, old, why, removed);
    }

    private boolean changeOrphan(DelayMessage next, StoredMessage old, String why) {
        try (Withdrawal takenOut =
                withdrawals.takeOutOrphan(old.state(), clock.millis()).orElseThrow(() -> inDelivery(old))) {
            return changeTakenOut(next, old, why, takenOut);
        }
    }

    private boolean changeTakenOut(DelayMessage next, StoredMessage old, String why, Withdrawal takenOut) {
        if (mayBeDue(old)) {
            doubt.requireSteady(old.message().id());
        }
        return changeKeptOut(next, old, why, takenOut);
    }

    /**
     * Changes a message that the index does not know. Beyond the horizon no call has scheduled it, and the row decides. Nearer, the
     * call of its push may have been given up and still be on its way, although the row went to WAIT_PUT.
     */
    private boolean changeUnknown(DelayMessage next, StoredMessage old, String why, Withdrawal unknown) {
        boolean waitsInStore = old.status() == MessageStatus.WAIT_PUT;
        if (waitsInStore && scheduling.initialStatus(old.message()) == MessageStatus.WAIT_PUT) {
            return rewrite(next, old, why);
        }
        if (!waitsInStore && isDue(old)) {
            unknown.requireDecided(old.message().id(), "send the same call again");
            // The message is due, and the index does not know it. Nothing tells whether a delivery is under way.
            throw tooLate(old);
        }
        try (Withdrawal withdrawal = withdrawals.veto(old.state()).orElse(null)) {
            return withdrawal != null && changeKeptOut(next, old, why, withdrawal);
        }
    }

    /** The look at the index comes before the new version is there, which may be due and in delivery at once. */
    private boolean changeKeptOut(DelayMessage changed, StoredMessage old, String why, Withdrawal keptOut) {
        long beforeMs = clock.millis();
        NewMessage next = nextOf(changed, old);
        if (!keptOut.commitIf(rewriteRow(next, old, why))) {
            return false;
        }
        MessageRef replaced = old.message().ref();
        boolean mayBeDue = mayBeDue(old);
        boolean mayBeInDelivery = mayBeDue && doubt.mayBeInDelivery(replaced);
        if (!mayBeDue && next.status() == MessageStatus.WAIT_PUT) {
            // Nearer, the new version takes the place of the old one.
            withdrawals.forget(List.of(replaced));
        }
        scheduling.schedule(List.of(next), beforeMs);
        if (mayBeInDelivery) {
            throw new DelayException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "message " + replaced.id()
                            + " has its new version, and a delivery of the old one may have begun before; send the same call again");
        }
        return true;
    }

    /** Changes the row and schedules the new version. A message that has ended passes through RESTORE. */
    boolean rewrite(DelayMessage changed, StoredMessage old, String why) {
        long beforeMs = clock.millis();
        NewMessage next = nextOf(changed, old);
        boolean won = rewriteRow(next, old, why);
        if (won) {
            scheduling.schedule(List.of(next), beforeMs);
        }
        return won;
    }

    private NewMessage nextOf(DelayMessage changed, StoredMessage old) {
        DelayMessage next = changed.asVersion(old.message().version() + 1);
        return new NewMessage(next, scheduling.initialStatus(next));
    }

    private boolean rewriteRow(NewMessage next, StoredMessage old, String why) {
        long nowMs = clock.millis();
        Transition.Step last = new Transition.Step(next.status(), nowMs, why);
        List<Transition.Step> steps = old.status().isUnfinished()
                ? List.of(last)
                : List.of(new Transition.Step(MessageStatus.RESTORE, nowMs, "pushed again"), last);
        MessageRef read = old.message().ref();
        return store.rewrite(
                next.message(), new Transition(read.id(), read.version(), old.status(), steps, "intake", 0));
    }

    private boolean mayBeDue(StoredMessage old) {
        DelayMessage message = old.message();
        return doubt.mayBeDue(message.ref(), message.dueTimeMs(), clock.millis());
    }

    private boolean isDue(StoredMessage old) {
        return old.message().dueTimeMs() <= clock.millis();
    }

    /**
     * The answer for a message that the index has in delivery. If the row is not due, the delivery is one of an older version, and
     * the version of the row is delivered as well.
     */
    private DelayException inDelivery(StoredMessage old) {
        return isDue(old)
                ? tooLate(old)
                : new DelayException(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "an older version of message " + old.message().id()
                                + " is in delivery; send the same call again");
    }

    static DelayException tooLate(StoredMessage old) {
        return new DelayException(
                ErrorCode.ALREADY_DISPATCHED, "message " + old.message().id() + " is already dispatched");
    }
}
