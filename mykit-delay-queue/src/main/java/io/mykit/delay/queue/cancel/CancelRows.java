package io.mykit.delay.queue.cancel;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.time.InstantSource;
import java.util.List;

/**
 * The rows of messages that are to be cancelled. Immutable; blocks.
 *
 * @param detail the text in the flow of a cancelled message
 */
record CancelRows(MessageStore store, InstantSource clock, String detail) {
    CancelRows(MessageStore store, InstantSource clock) {
        this(store, clock, "cancelled");
    }

    /** The same rows, whose flow names the caller. */
    CancelRows by(String caller) {
        return new CancelRows(store, clock, "cancelled by " + caller);
    }

    /** Null if no row has this id. */
    RowState find(String id) {
        return store.states(List.of(id)).stream().findFirst().orElse(null);
    }

    /** Changes the row to DELETE. Returns null if the row changed in between. */
    CancelResult delete(RowState row, int attempts) {
        Transition.Step step = new Transition.Step(MessageStatus.DELETE, clock.millis(), detail);
        Transition cancel = Transition.of(row, List.of(step), "cancel", attempts);
        return store.move(List.of(cancel)).isEmpty() ? ofCancelled(attempts > 0) : null;
    }

    /** @param attempted whether an attempt may have reached the receiver */
    static CancelResult ofCancelled(boolean attempted) {
        return attempted ? CancelResult.CANCELLED_AFTER_ATTEMPT : CancelResult.CANCELLED;
    }

    /** The result for a message that has ended. A cancel counts an attempt whose end is unknown, so the row tells of it. */
    static CancelResult ofEnded(RowState row) {
        return switch (row.status()) {
            case DELETE -> ofCancelled(row.attempts() > 0);
            case FINISH -> CancelResult.ALREADY_DISPATCHED;
            default -> CancelResult.ALREADY_FINISHED;
        };
    }
}
