package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels everything that is unfinished. Thread-safe; blocks.
 *
 * <p>Page by page: out of the index first, which tells what is being delivered at this moment and is left alone, then
 * DELETE in the store. A crash in between leaves rows that the auditor schedules again; the operator was not answered.
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
     * Every message unfinished at the call becomes DELETE and leaves the index; what is pushed meanwhile survives, and
     * so does what is being delivered at that moment.
     *
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE or INDEX_UNAVAILABLE
     */
    public ClearReport clear(ClearOrder order) {
        String title = order.dryRun() ? "Clear (dry run)" : "Clear";
        Progress progress = recovery.board().begin(RecoveryKind.CLEAR, title, () -> true);
        try {
            recovery.count(UNFINISHED, progress);
            LOG.info("{} begins: {}", title, order);
            ClearReport report = walk(new ClearPage(recovery, order.dryRun()), order.topic(), progress);
            LOG.info("{} {}: {}", title, report.stopped() ? "was stopped" : "is done", report);
            return report;
        } catch (DelayException e) {
            // Also here: who asked may have hung up long ago.
            LOG.warn("{} failed after {}: {}", title, progress, e.getMessage());
            throw e;
        } finally {
            recovery.board().end(RecoveryKind.CLEAR, progress);
        }
    }

    /** A status after the other, the way that messages go: one that moves on meanwhile is met where it arrives. */
    private ClearReport walk(ClearPage page, Optional<String> topic, Progress progress) {
        int size = recovery.config().pageSize();
        boolean ended = true;
        for (MessageStatus status : UNFINISHED) {
            List<MessageStatus> one = List.of(status);
            ended = ended
                    && topic.map(name -> walk(
                                    DueRows.messages(recovery.store(), one, RowCursor.START, size),
                                    rows -> ofTopic(name, rows),
                                    page,
                                    progress))
                            .orElseGet(() -> walk(
                                    DueRows.states(recovery.store(), one, RowCursor.START, Long.MAX_VALUE, size),
                                    rows -> rows,
                                    page,
                                    progress));
        }
        return new ClearReport(page.cleared(), progress.milliseconds(), !ended, page.unreachable());
    }

    /**
     * Of one topic: the light rows do not tell it, and no index would find it. So the walk reads the same pages with all
     * there is, and passes over the others.
     *
     * @return false if it was stopped before its end
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
