package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.operator.RestoreOrder;
import io.mykit.delay.queue.operator.RestoreReport;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts messages back from the store into the index when an operator asks for it. Any node may do it at any time, at the same
 * time as pushes, cancels and dispatch. Thread-safe; blocks.
 *
 * <p>The restore clears nothing first, and leaves messages that the index knows as they are. A crash during the restore
 * leaves every row in a state that the loader or the auditor handles. A second call continues the work.
 */
public final class Restorer {
    private static final Logger LOG = LoggerFactory.getLogger(Restorer.class);
    private static final List<MessageStatus> UNFINISHED =
            List.of(MessageStatus.READY, MessageStatus.RESTORE, MessageStatus.DELAY, MessageStatus.WAIT_PUT);

    private final Recovery recovery;
    private final AtomicBoolean running = new AtomicBoolean();
    /** The last restore that did not reach its end; null = none. */
    private volatile Halt halt;

    public Restorer(Recovery recovery) {
        this.recovery = recovery;
    }

    /**
     * Reads every unfinished message, the most urgent first, and puts back the messages that the index does not know.
     *
     * @throws DelayException STORE_UNAVAILABLE, INDEX_UNAVAILABLE; ALREADY_RUNNING if a restore runs on this node;
     *     INVALID_REQUEST if the order resumes a restore of another kind
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
        Progress progress = recovery.board().begin(RecoveryKind.RESTORE, "Restore with " + order, order.dryRun());
        try {
            recovery.count(UNFINISHED, progress);
            RestoreReport report = walk(order, from, progress);
            progress.complete();
            return report;
        } catch (DelayException e) {
            // Logged here too, because the operator's client may have hung up long ago.
            LOG.warn("Restore failed after {}. Continue it with /reStore?resume=true: {}", progress, e.getMessage());
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
            // The restore of another kind handled the rows before the cursor differently, or left them out.
            throw new DelayException(
                    ErrorCode.INVALID_REQUEST,
                    "resume needs the parameters of the last restore: the last restore had "
                            + last.order().kind()
                            + ", this one has " + order.kind() + "; use the same, or leave resume out to begin anew");
        }
        return last.reached();
    }

    /**
     * Puts one message back, whatever its status. If its due time is over, its new due time is now.
     *
     * @return false if no message has this id
     */
    public boolean restoreOne(String id) {
        return new SingleRestore(recovery).restore(id);
    }

    private RestoreReport walk(RestoreOrder order, RowCursor from, Progress progress) {
        LOG.info("Restore begins{}: {}", from.equals(RowCursor.START) ? "" : " where the last one ended", order);
        RestorePage page = new RestorePage(recovery, order);
        ReadAhead<StoredMessage> pages = new ReadAhead<>(
                "restore-all-read",
                DueRows.messages(
                        recovery.store(), UNFINISHED, from, recovery.config().pageSize())::next);
        remember(order, from);
        List<StoredMessage> rows = pages.next();
        while (!rows.isEmpty() && !progress.isStopping()) {
            page.restore(rows);
            progress.found(page.rows(), page.unreachable());
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
     * A restore that did not reach its end.
     *
     * @param reached the last row that it handled
     */
    private record Halt(RestoreOrder order, RowCursor reached) {}
}
