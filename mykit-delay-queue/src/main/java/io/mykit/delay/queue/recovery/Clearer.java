package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;
import java.util.function.Function;
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
        String title = order.dryRun() ? "Clear (dry run)" : "Clear";
        Progress progress = recovery.board().begin(RecoveryKind.CLEAR, title, () -> true);
        try {
            if (!order.dueOnly()) {
                recovery.count(UNFINISHED, progress);
            }
            LOG.info("{} begins: {}", title, order);
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
     * Walks through one status after the other, in the order in which messages change them. A message that moves on meanwhile
     * is found in its next status. The loader gives rows back that the index does not take, so the walk ends with the rows that
     * the loader may have given back.
     */
    private ClearReport walk(ClearPage page, ClearOrder order, Progress progress) {
        long nowMs = recovery.clock().millis();
        long endMs = order.dueOnly() ? nowMs + 1 : Long.MAX_VALUE;
        boolean ended = true;
        for (MessageStatus status : UNFINISHED) {
            ended = ended && walk(status, endMs, page, order, progress);
        }
        if (!order.dryRun()) {
            long nearMs =
                    Math.min(endMs, recovery.horizon().endMs(recovery.clock().millis()));
            ended = ended && walk(MessageStatus.WAIT_PUT, nearMs, page, order, progress);
        }
        return new ClearReport(page.cleared(), progress.milliseconds(), !ended, page.unreachable());
    }

    private boolean walk(MessageStatus status, long dueBeforeMs, ClearPage page, ClearOrder order, Progress progress) {
        List<MessageStatus> one = List.of(status);
        int size = recovery.config().pageSize();
        return order.topic()
                .map(name -> walk(
                        DueRows.messages(recovery.store(), one, RowCursor.START, dueBeforeMs, size),
                        rows -> ofTopic(name, rows),
                        page,
                        progress))
                .orElseGet(() -> walk(
                        DueRows.states(recovery.store(), one, RowCursor.START, dueBeforeMs, size),
                        rows -> rows,
                        page,
                        progress));
    }

    /**
     * Walks through pages and clears the chosen rows. For one topic, it reads whole messages and ignores those of other
     * topics: the light rows do not have the topic, and no database index finds it.
     *
     * @return false if the walk was stopped before its end
     */
    private static <R> boolean walk(
            DueRows<R> pages, Function<List<R>, List<RowState>> chosen, ClearPage page, Progress progress) {
        for (List<R> rows = pages.next(); !rows.isEmpty(); rows = pages.next()) {
            if (progress.isStopping()) {
                return false;
            }
            page.clear(chosen.apply(rows));
            progress.advance(rows.size());
        }
        return true;
    }

    private static List<RowState> ofTopic(String topic, List<StoredMessage> rows) {
        return RestorePage.ofTopic(topic, rows).stream()
                .map(StoredMessage::state)
                .toList();
    }
}
