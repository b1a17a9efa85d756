package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    /** Longer than a push takes from the store to the index. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    private static final List<MessageStatus> UNFINISHED =
            List.of(MessageStatus.WAIT_PUT, MessageStatus.RESTORE, MessageStatus.DELAY, MessageStatus.READY);

    private final Recovery room;

    public Clearer(Recovery room) {
        this.room = room;
    }

    /**
     * Every message unfinished at the call becomes DELETE and leaves the index; what is pushed meanwhile survives, and
     * so does what is being delivered at that moment.
     *
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE or INDEX_UNAVAILABLE
     */
    public ClearReport clearAll() {
        Progress progress = room.board().begin(Work.CLEAR, "Clear", () -> true);
        try {
            room.count(UNFINISHED, progress);
            LOG.info("Clear begins: every unfinished message is cancelled");
            ClearReport report = walk(progress);
            LOG.info("Clear {}: {}", report.stopped() ? "was stopped" : "is done", report);
            return report;
        } catch (DelayException e) {
            // Also here: who asked may have hung up long ago.
            LOG.warn("Clear failed after {}: {}", progress, e.getMessage());
            throw e;
        } finally {
            room.board().end(Work.CLEAR, progress);
        }
    }

    /** A status after the other, the way that messages go: one that moves on meanwhile is met where it arrives. */
    private ClearReport walk(Progress progress) {
        long begunMs = room.clock().millis();
        long cleared = 0;
        long unreachable = 0;
        BucketBackoff buckets = new BucketBackoff("Clear", room.index());
        for (MessageStatus status : UNFINISHED) {
            DueRows<RowState> pages = DueRows.states(
                    room.store(),
                    List.of(status),
                    RowCursor.START,
                    Long.MAX_VALUE,
                    room.config().pageSize());
            for (List<RowState> rows = pages.next(); !rows.isEmpty(); rows = pages.next()) {
                if (progress.isStopping()) {
                    return new ClearReport(cleared, progress.milliseconds(), true, unreachable);
                }
                List<RowState> old = rows.stream()
                        .filter(row -> row.createTimeMs() <= begunMs)
                        .toList();
                Set<String> beingDelivered = new HashSet<>();
                List<RowState> gone = buckets.served(old, RowState::id, some -> beingDelivered.addAll(takeOut(some)));
                unreachable += old.size() - gone.size();
                cleared += clear(gone, beingDelivered);
                progress.advance(rows.size());
            }
        }
        return new ClearReport(cleared, progress.milliseconds(), false, unreachable);
    }

    /** Out of the index, twice if need be; the ids that stay because their delivery has begun. */
    private Set<String> takeOut(List<RowState> rows) {
        vetoYoung(rows);
        return room.index().purge(rows.stream().map(RowState::id).toList());
    }

    private int clear(List<RowState> rows, Set<String> beingDelivered) {
        if (rows.isEmpty()) {
            return 0;
        }
        List<Transition.Step> deleted =
                List.of(new Transition.Step(MessageStatus.DELETE, room.clock().millis(), "cleared by an operator"));
        List<Transition> transitions = rows.stream()
                .filter(row -> !beingDelivered.contains(row.id()))
                .map(row -> new Transition(row.id(), row.status(), deleted, "clear", row.attempts()))
                .toList();
        return transitions.size() - room.store().move(transitions).size();
    }

    /** Their pushes may be between the store and the index. */
    private void vetoYoung(List<RowState> rows) {
        long youngMs = room.clock().millis() - YOUNG.toMillis();
        room.index()
                .veto(rows.stream()
                        .filter(row -> row.createTimeMs() > youngMs)
                        .map(RowState::id)
                        .toList());
    }
}
