package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.ClearReport;
import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.SearchStore;
import io.mykit.delay.queue.store.TopicPart;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels all unfinished messages. Thread-safe; blocks.
 *
 * <p>For each page, the index removes the messages first, which shows the messages that are being delivered now; those stay.
 * Then the store sets the others to DELETE. A crash in between leaves rows that the auditor schedules again; the operator got
 * no answer then.
 */
public final class Clearer {
    private static final Logger LOG = LoggerFactory.getLogger(Clearer.class);
    private static final List<MessageStatus> UNFINISHED =
            List.of(MessageStatus.WAIT_PUT, MessageStatus.RESTORE, MessageStatus.DELAY, MessageStatus.READY);

    /** A row costs ten times as much by its status as by its id, unless the database has the whole table in memory. */
    private static final int ROWS_BY_ID = 10;

    private final Recovery recovery;

    public Clearer(Recovery recovery) {
        this.recovery = recovery;
    }

    /**
     * Every message of the order that is unfinished at the call becomes DELETE and leaves the index. Messages that are pushed meanwhile
     * stay, and so do messages that are being delivered at that moment.
     *
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE or INDEX_UNAVAILABLE
     */
    public ClearReport clear(ClearOrder order) {
        String title = "Clear of " + order;
        Progress progress = recovery.board().begin(RecoveryKind.CLEAR, title, order.dryRun());
        try {
            LOG.info("{} begins", title);
            progress.found(0, 0);
            ClearReport report = walk(new ClearPage(recovery, order.dryRun()), order, progress);
            progress.complete();
            LOG.info("{} {}: {}", title, report.stopped() ? "was stopped" : "is done", report);
            return report;
        } catch (DelayException e) {
            // Logged here too, because the operator's client may have hung up long ago.
            LOG.warn("{} failed after {}. Call it again: {}", title, progress, e.getMessage());
            throw e;
        } finally {
            recovery.board().end(RecoveryKind.CLEAR, progress);
        }
    }

    /**
     * Walks through the rows of the order. A topic whose messages the index of topics finds is walked through in two parts: by status
     * and time what is due, and by topic what is not. Nearly all rows of a topic that were due have ended, and the index of topics does
     * not tell them apart.
     */
    private ClearReport walk(ClearPage page, ClearOrder order, Progress progress) {
        long dueMs = recovery.clock().millis() + 1;
        SearchStore search = recovery.store().search();
        boolean indexed = order.topic().isPresent()
                && !order.dueOnly()
                && search.indexes().topic();
        long endMs = order.dueOnly() || indexed ? dueMs : Long.MAX_VALUE;
        if (endMs == Long.MAX_VALUE) {
            recovery.count(UNFINISHED, progress);
        }
        boolean byId = order.topic().isPresent() && isShorterById(search, endMs);
        boolean ended = byId
                ? walk(ClearRows.byId(search, order.topic().get(), endMs), page, progress)
                : walkStatuses(page, order, endMs, progress);
        if (indexed) {
            ended = ended && walk(ClearRows.byTopic(search, order.topic().get(), dueMs), page, progress);
        }
        return new ClearReport(page.cleared(), progress.milliseconds(), !ended, page.unreachable());
    }

    /** Whether a walk through the table takes less time than one through the unfinished rows, by the estimates of the database. */
    private static boolean isShorterById(SearchStore search, long dueBeforeMs) {
        DueWindow window = new DueWindow(Long.MIN_VALUE, dueBeforeMs);
        OptionalLong unfinished = search.estimate(MessageStatus.UNFINISHED, window);
        OptionalLong all = search.estimate(EnumSet.allOf(MessageStatus.class), DueWindow.ALL);
        return unfinished.isPresent() && all.isPresent() && all.getAsLong() < ROWS_BY_ID * unfinished.getAsLong();
    }

    /**
     * Walks through one status after the other, in the order in which messages change them. A message that moves on meanwhile
     * is found in its next status. The loader gives rows back that the index does not take, so the walk ends with the rows that
     * the loader may have given back.
     */
    private boolean walkStatuses(ClearPage page, ClearOrder order, long endMs, Progress progress) {
        boolean ended = true;
        for (MessageStatus status : UNFINISHED) {
            ended = ended && walk(rows(status, endMs, order), page, progress);
        }
        if (!order.dryRun()) {
            long nearMs =
                    Math.min(endMs, recovery.horizon().endMs(recovery.clock().millis()));
            ended = ended && walk(rows(MessageStatus.WAIT_PUT, nearMs, order), page, progress);
        }
        return ended;
    }

    private ClearRows<RowCursor> rows(MessageStatus status, long dueBeforeMs, ClearOrder order) {
        MessageStore store = recovery.store();
        return order.topic()
                .map(topic -> ClearRows.byStatus(store.search(), topic, status, dueBeforeMs))
                .orElseGet(() -> ClearRows.all(DueRows.states(
                        store,
                        List.of(status),
                        RowCursor.START,
                        dueBeforeMs,
                        recovery.config().pageSize())));
    }

    /** @return false if the walk was stopped before its end */
    private boolean walk(ClearRows<?> parts, ClearPage page, Progress progress) {
        int size = recovery.config().pageSize();
        while (!parts.isEnded()) {
            if (progress.isStopping()) {
                return false;
            }
            TopicPart<?> part = parts.next();
            List<RowState> rows = part.rows();
            for (int from = 0; from < rows.size(); from += size) {
                if (progress.isStopping()) {
                    return false;
                }
                page.clear(rows.subList(from, Math.min(rows.size(), from + size)));
                progress.found(page.cleared(), page.unreachable());
            }
            progress.advance(part.looked());
        }
        return true;
    }
}
