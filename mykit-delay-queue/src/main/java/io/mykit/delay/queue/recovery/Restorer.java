package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts messages back from the store into the index at an operator's word. Thread-safe; blocks. Any node may do it, at
 * any time, beside pushes, cancels and dispatch.
 *
 * <p>Nothing is cleared first, and what the index knows is left alone. Dying in the middle leaves every row in a state
 * that loader or auditor take up; calling again goes on where it matters.
 */
public final class Restorer {
    private static final Logger LOG = LoggerFactory.getLogger(Restorer.class);
    private static final List<MessageStatus> UNFINISHED =
            List.of(MessageStatus.READY, MessageStatus.RESTORE, MessageStatus.DELAY, MessageStatus.WAIT_PUT);

    private final Recovery recovery;
    private final AtomicBoolean running = new AtomicBoolean();
    /** The last one that did not reach its end; null = none. */
    private volatile Halt halt;

    public Restorer(Recovery recovery) {
        this.recovery = recovery;
    }

    /**
     * Goes over every unfinished message, the most urgent first, and puts back what the index does not know.
     *
     * @throws DelayException STORE_UNAVAILABLE, INDEX_UNAVAILABLE; ALREADY_RUNNING if one runs on this node;
     *     INVALID_REQUEST if it is to go on where another kind of restore ended
     */
    public RestoreReport restoreAll(RestoreOrder order) {
        if (!running.compareAndSet(false, true)) {
            throw new DelayException(ErrorCode.ALREADY_RUNNING, "a restore is already running on this node");
        }
        try {
            return restore(order, begin(order));
        } finally {
            running.set(false);
        }
    }

    private RestoreReport restore(RestoreOrder order, RowCursor from) {
        Progress progress = recovery.board().begin(RecoveryKind.RESTORE, "Restore with " + order, () -> true);
        try {
            recovery.count(UNFINISHED, progress);
            return walk(order, from, progress);
        } catch (DelayException e) {
            // Also here: who asked may have hung up long ago.
            LOG.warn("Restore failed after {}: {}", progress, e.getMessage());
            throw e;
        } finally {
            recovery.board().end(RecoveryKind.RESTORE, progress);
        }
    }

    private RowCursor begin(RestoreOrder order) {
        Halt last = halt;
        if (!order.resume() || last == null || last.reached().equals(RowCursor.START)) {
            return RowCursor.START;
        }
        if (!last.order().isLike(order)) {
            // Rows before the cursor were looked at for another purpose, or not at all.
            throw new DelayException(
                    ErrorCode.INVALID_REQUEST,
                    "resume would go on with a restore of another kind: the last one had "
                            + last.order().kind()
                            + ", this one has " + order.kind() + "; give the same, or leave resume out to begin anew");
        }
        return last.reached();
    }

    /**
     * Puts one message back, whatever its status; one that fell due in the meantime is due now.
     *
     * @return false if no message has this id
     */
    public boolean restoreOne(String id) {
        return new SingleRestore(recovery.store(), recovery.index(), recovery.scheduling(), recovery.clock())
                .restore(id);
    }

    private RestoreReport walk(RestoreOrder order, RowCursor from, Progress progress) {
        LOG.info("Restore begins{}: {}", from.equals(RowCursor.START) ? "" : " where it ended last", order);
        RestorePage page = new RestorePage(recovery, order);
        ReadAhead<StoredMessage> pages = new ReadAhead<>(
                "restore-all-read",
                DueRows.messages(
                        recovery.store(), UNFINISHED, from, recovery.config().pageSize())::next);
        remember(order, from);
        List<StoredMessage> rows = pages.next();
        while (!rows.isEmpty() && !progress.isStopping()) {
            page.restore(rows);
            remember(order, DueRows.cursor(rows.get(rows.size() - 1)));
            progress.advance(rows.size());
            rows = pages.next();
        }
        boolean stopped = !rows.isEmpty();
        if (!stopped && !order.dryRun()) {
            halt = null;
        }
        RestoreReport report = page.report(progress.milliseconds(), stopped);
        LOG.info("Restore {}: {}", stopped ? "was stopped" : "is done", report);
        return report;
    }

    private void remember(RestoreOrder order, RowCursor reached) {
        if (!order.dryRun()) {
            halt = new Halt(order, reached);
        }
    }

    /**
     * A restore that has not reached its end.
     *
     * @param reached the last row that it went through
     */
    private record Halt(RestoreOrder order, RowCursor reached) {}
}
