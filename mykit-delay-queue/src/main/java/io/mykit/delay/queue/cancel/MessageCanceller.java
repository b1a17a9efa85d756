package io.mykit.delay.queue.cancel;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.withdrawal.DeliveryDoubt;
import io.mykit.delay.queue.withdrawal.Withdrawal;
import io.mykit.delay.queue.withdrawal.Withdrawals;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels messages. Thread-safe; blocks.
 *
 * <p>A cancel has three steps: it takes the message out of the index, changes the row to DELETE, and answers. The
 * removal from the index decides the race with the scanner, the dispatcher and the consumers. A crash between the steps leaves a row that the auditor
 * schedules again; the caller got no answer.
 *
 * <p>A veto keeps the message out of the index while the row changes. The removal of a message sets the veto.
 * If the index does not know the message, perhaps because its push is between the store and the index, a call of its
 * own sets the veto.
 *
 * <p>Another thread may have read the row before and may schedule the message afterwards. So the cancel takes the
 * message out of the index once more after the change. A copy that comes back into the index later, by a failover
 * that lost the removal, is stopped by the gate. A copy that came back before the change may have passed the gate. So the
 * answer for a message that is due by then is CANCELLED only if the index does not have it in delivery.
 */
public final class MessageCanceller {
    private static final Logger LOG = LoggerFactory.getLogger(MessageCanceller.class);
    private static final int TRIES = 4;

    private final CancelRows rows;
    private final Withdrawals withdrawals;
    private final DeliveryDoubt doubt;
    private final Horizon horizon;
    private final InstantSource clock;

    public MessageCanceller(MessageStore store, MessageIndex index, Horizon horizon, InstantSource clock) {
        this(new CancelRows(store, clock), new Withdrawals(store, index), new DeliveryDoubt(index), horizon, clock);
    }

    private MessageCanceller(
            CancelRows rows, Withdrawals withdrawals, DeliveryDoubt doubt, Horizon horizon, InstantSource clock) {
        this.rows = rows;
        this.withdrawals = withdrawals;
        this.doubt = doubt;
        this.horizon = horizon;
        this.clock = clock;
    }

    /**
     * The same for one caller, whom the flow of a message that it cancels names.
     *
     * @param caller continues a sentence, such as {@code producer from 10.0.0.7}
     */
    public MessageCanceller by(String caller) {
        return new MessageCanceller(rows.by(caller), withdrawals, doubt, horizon, clock);
    }

    /**
     * Cancels a message, due or not, as long as no delivery of it can be under way: no batch of the leader has it, and no consumer.
     *
     * @throws DelayException STORE_UNAVAILABLE or INDEX_UNAVAILABLE if no true answer is possible; then the message
     *     stays as it was. OUTCOME_UNKNOWN if the server does not know whether the message was cancelled; the same
     *     call again gives the answer
     */
    public CancelResult cancel(String id) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            CancelResult result = tryCancel(id);
            if (result != null) {
                return result;
            }
        }
        // The row changed during every try: other threads are loading, dispatching and finishing the message.
        return CancelResult.ALREADY_DISPATCHED;
    }

    /** Returns null if the row changed in between; then the caller tries again. */
    private CancelResult tryCancel(String id) {
        Withdrawal withdrawal;
        try {
            withdrawal = withdrawals.remove(id);
        } catch (IndexUnavailableException e) {
            return cancelWithoutIndex(id, e);
        }
        try (withdrawal) {
            return switch (withdrawal.found()) {
                case REMOVED -> recordRemoved(id, withdrawal);
                case TOO_LATE -> tooLate(id);
                case DELIVERED -> delivered(id);
                case VETOED, UNKNOWN -> cancelUnknown(id, withdrawal);
            };
        }
    }

    private CancelResult recordRemoved(String id, Withdrawal withdrawal) {
        RowState row = rows.find(id);
        CancelResult result;
        if (row == null) {
            // The store lost the row. The message is out of the index, so no delivery will start.
            result = CancelRows.ofCancelled(withdrawal.attempted());
        } else if (!row.status().isUnfinished()) {
            // The index had an old copy of a message that has ended.
            result = afterEnd(row);
        } else if (row.version() > withdrawal.message().version()) {
            // The index had an older version, which stays out. The current version is on its way into the index.
            result = cancelUnknown(id, withdrawal);
        } else {
            return markDeleted(row, withdrawal);
        }
        withdrawal.commit();
        return result;
    }

    private CancelResult cancelUnknown(String id, Withdrawal withdrawal) {
        RowState row = rows.find(id);
        if (row == null) {
            return CancelResult.UNKNOWN;
        }
        if (!row.status().isUnfinished()) {
            return afterEnd(row);
        }
        if (isBeyondHorizon(row)) {
            return markDeleted(row, withdrawal);
        }
        if (row.status() != MessageStatus.WAIT_PUT && row.dueTimeMs() <= clock.millis()) {
            withdrawal.requireDecided(id, "ask again");
            // The message is due, and the index does not know it: a delivery may be under way. Recovery delivers it.
            return CancelResult.ALREADY_DISPATCHED;
        }
        return cancelVetoed(row);
    }

    /**
     * Cancels a message that the index does not know yet. Without a veto its push may schedule it at any moment, also
     * after the answer of the index was given up and the row went to WAIT_PUT, and a delivery may have looked at the row
     * before the row changes.
     */
    private CancelResult cancelVetoed(RowState row) {
        try (Withdrawal withdrawal = withdrawals.veto(row).orElse(null)) {
            return withdrawal == null ? null : markDeleted(row, withdrawal);
        }
    }

    private CancelResult cancelWithoutIndex(String id, IndexUnavailableException unavailable) {
        RowState row = rows.find(id);
        if (row == null) {
            return CancelResult.UNKNOWN;
        }
        if (row.status() == MessageStatus.DELETE && mayBeDue(row)) {
            // Only the index tells whether a delivery began before the row changed.
            throw unavailable;
        }
        if (!row.status().isUnfinished()) {
            return CancelRows.ofEnded(row);
        }
        CancelResult result = isBeyondHorizon(row) ? rows.delete(row, row.attempts()) : null;
        if (result == null) {
            throw unavailable;
        }
        return result;
    }

    private CancelResult afterEnd(RowState row) {
        boolean mayBeOverruled = row.status() == MessageStatus.DELETE && mayBeDue(row);
        CancelResult result = CancelRows.ofEnded(row);
        return mayBeOverruled ? unlessDelivered(row, result) : result;
    }

    /** Returns null if the row changed in between. */
    private CancelResult markDeleted(RowState row, Withdrawal withdrawal) {
        // An attempt whose end is unknown counts from now on: the answer to the next cancel follows from the row alone.
        int attempts = withdrawal.attempted() ? Math.max(1, row.attempts()) : row.attempts();
        CancelResult result = rows.delete(row, attempts);
        if (!withdrawal.commitIf(result != null)) {
            return null;
        }
        if (mayBeDue(row)) {
            return unlessDelivered(row, result);
        }
        withdrawals.forget(List.of(row.ref()));
        return result;
    }

    private boolean mayBeDue(RowState row) {
        return doubt.mayBeDue(row.ref(), row.dueTimeMs(), clock.millis());
    }

    /** True if no call has scheduled the message. The loader claims it in the store before it does, so the row decides. */
    private boolean isBeyondHorizon(RowState row) {
        return row.status() == MessageStatus.WAIT_PUT && !horizon.includes(row.dueTimeMs(), clock.millis());
    }

    /**
     * The answer for a cancelled message that is due. Its delivery may have begun if the gate looked at the row before the row
     * changed: the index forgot the removal in a failover, or the lease in a restart, or the store was away. A delivery leaves the
     * index after its record, so the row tells of a delivery that the index has no more.
     *
     * @param cancelled the answer if no delivery has begun
     * @throws DelayException OUTCOME_UNKNOWN if a delivery may have begun and has not ended
     */
    private CancelResult unlessDelivered(RowState row, CancelResult cancelled) {
        try {
            if (!doubt.mayBeInDelivery(row.ref())) {
                RowState after = rows.find(row.id());
                boolean isDelivered = after != null && after.status() == MessageStatus.FINISH;
                return isDelivered ? CancelResult.ALREADY_DISPATCHED : cancelled;
            }
        } catch (StoreUnavailableException e) {
            LOG.debug("Message {} is cancelled, and it is unknown whether a delivery began before", row.id(), e);
        }
        throw new DelayException(
                ErrorCode.OUTCOME_UNKNOWN,
                "message " + row.id() + " is cancelled, and a delivery of it may have begun before; ask again");
    }

    private CancelResult tooLate(String id) {
        RowState row = rows.find(id);
        if (row == null) {
            return CancelResult.ALREADY_DISPATCHED;
        }
        if (row.status().isUnfinished()) {
            return cancelOrphan(row);
        }
        CancelResult ended = CancelRows.ofEnded(row);
        return row.status() == MessageStatus.DELETE ? unlessDelivered(row, ended) : ended;
    }

    private CancelResult cancelOrphan(RowState row) {
        try (Withdrawal withdrawal =
                withdrawals.takeOutOrphan(row, clock.millis()).orElse(null)) {
            return withdrawal == null ? CancelResult.ALREADY_DISPATCHED : markDeleted(row, withdrawal);
        }
    }

    /** An older cancel may have been recorded after the delivery, see {@code ParkedOutcomes}. */
    private CancelResult delivered(String id) {
        RowState row = rows.find(id);
        boolean isOver = row != null && !row.status().isUnfinished() && row.status() != MessageStatus.DELETE;
        return isOver ? CancelRows.ofEnded(row) : CancelResult.ALREADY_DISPATCHED;
    }
}
