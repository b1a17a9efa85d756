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

    private final Recovery room;
    private final AtomicBoolean running = new AtomicBoolean();
    /** How far the last one came that did not reach its end. */
    private volatile RowCursor reached = RowCursor.START;

    public Restorer(Recovery room) {
        this.room = room;
    }

    /**
     * Goes over every unfinished message, the most urgent first, and puts back what the index does not know.
     *
     * @throws DelayException STORE_UNAVAILABLE, INDEX_UNAVAILABLE; ALREADY_RUNNING if one runs on this node
     */
    public RestoreReport restoreAll(RestoreOrder order) {
        if (!running.compareAndSet(false, true)) {
            throw new DelayException(ErrorCode.ALREADY_RUNNING, "a restore is already running on this node");
        }
        Progress progress =
                room.board().begin(Work.RESTORE, order.dryRun() ? "Restore (dry run)" : "Restore", () -> true);
        try {
            room.count(UNFINISHED, progress);
            return walk(order, progress);
        } catch (DelayException e) {
            // Also here: who asked may have hung up long ago.
            LOG.warn("Restore failed after {}: {}", progress, e.getMessage());
            throw e;
        } finally {
            room.board().end(Work.RESTORE, progress);
            running.set(false);
        }
    }

    /**
     * Puts one message back, whatever its status; one that fell due in the meantime is due now.
     *
     * @return false if no message has this id
     */
    public boolean restoreOne(String id) {
        return new SingleRestore(room.store(), room.index(), room.scheduling(), room.clock()).restore(id);
    }

    private RestoreReport walk(RestoreOrder order, Progress progress) {
        RowCursor from = order.resume() ? reached : RowCursor.START;
        LOG.info("Restore begins{}: {}", from.equals(RowCursor.START) ? "" : " where it ended last", order);
        RestorePage page = new RestorePage(room, order);
        ReadAhead<StoredMessage> pages = new ReadAhead<>(
                "restore-all-read",
                DueRows.messages(room.store(), UNFINISHED, from, room.config().pageSize())::next);
        List<StoredMessage> rows = pages.next();
        while (!rows.isEmpty() && !progress.isStopping()) {
            page.restore(rows);
            if (!order.dryRun()) {
                reached = DueRows.cursor(rows.get(rows.size() - 1));
            }
            progress.advance(rows.size());
            rows = pages.next();
        }
        boolean stopped = !rows.isEmpty();
        if (!stopped && !order.dryRun()) {
            reached = RowCursor.START;
        }
        RestoreReport report = page.report(progress.milliseconds(), stopped);
        LOG.info("Restore {}: {}", stopped ? "was stopped" : "is done", report);
        return report;
    }
}
