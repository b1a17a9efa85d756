package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;

/**
 * A row that changed between the gate and the outcome. A repeated push gives a row back to the loader, for example, while its
 * message is in delivery. If the row has the delivered version and has not ended, it takes the outcome nevertheless. An outcome
 * that is parked in Redis instead would be lost with Redis. Immutable.
 */
record ChangedRow(RowState row) {
    /**
     * Whether the row has exactly this outcome: a COMMIT in doubt was carried out. For a retry, the attempt is counted and the
     * row waits for the next attempt.
     */
    boolean has(Transition outcome) {
        if (row.version() != outcome.version()) {
            return false;
        }
        return outcome.retryMs() == 0
                ? row.status() == outcome.to()
                : row.status().isUnfinished()
                        && row.attempts() == outcome.attempts()
                        && row.dueTimeMs() == outcome.retryMs();
    }

    /**
     * Whether the outcome can be recorded in the row. The end of a message that stays ready is no outcome. A row that another
     * attempt has moved, perhaps that of a consumer that refused the message, keeps its gap.
     */
    boolean takes(Transition outcome) {
        return row.version() == outcome.version()
                && row.status().isUnfinished()
                && outcome.to() != MessageStatus.READY
                && outcome.isNewsFor(row.dueTimeMs())
                && !has(outcome);
    }

    /**
     * The outcome as a change of the row as it is now.
     *
     * @param readyMs when the message was taken, epoch milliseconds
     */
    Transition with(Transition outcome, long readyMs) {
        int attempts = Math.max(row.attempts(), outcome.attempts());
        return Transition.ofAttempt(row, readyMs, outcome.last(), outcome.thread(), attempts)
                .retriedAt(outcome.retryMs())
                .withResult(outcome.result());
    }
}
