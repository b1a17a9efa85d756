package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;

/** Schedules rows that the index should know and does not. Used by one thread. */
final class MissingRows {
    private final Recovery room;
    private final Work work;
    /** Whole messages are read, so not too many at a time. */
    private final PageSize pageSize;

    private boolean refused;

    /** @param work on whose behalf, for the board */
    MissingRows(Recovery room, Work work) {
        this.room = room;
        this.work = work;
        this.pageSize = new PageSize(room.config().pageSize());
    }

    /**
     * Looks for the rows in the index.
     *
     * @return how many it did not know and has now
     * @throws io.mykit.delay.queue.bucket.IndexUnavailableException if it cannot be asked
     */
    long schedule(List<RowState> page) {
        if (page.isEmpty()) {
            return 0;
        }
        List<String> unknown =
                List.copyOf(room.index().unknown(page.stream().map(RowState::id).toList()));
        long scheduled = 0;
        for (int from = 0; from < unknown.size(); ) {
            int to = Math.min(from + pageSize.next(), unknown.size());
            scheduled += read(unknown.subList(from, to));
            from = to;
        }
        if (scheduled > 0) {
            room.board().scheduled(work, scheduled);
        }
        return scheduled;
    }

    private long read(List<String> unknown) {
        // Read again: a row that was finished between the page and the look into the index is no longer ours.
        List<StoredMessage> rows = room.store().find(unknown);
        pageSize.read(rows);
        List<DelayMessage> missing = rows.stream()
                .filter(row -> row.status() == MessageStatus.DELAY || row.status() == MessageStatus.READY)
                .map(StoredMessage::message)
                .toList();
        List<ScheduleOutcome> outcomes = room.index().schedule(missing);
        long scheduled = outcomes.stream()
                .filter(outcome -> outcome == ScheduleOutcome.SCHEDULED)
                .count();
        if (scheduled > 0) {
            room.scheduling().forgetEnded(missing);
        }
        if (outcomes.contains(ScheduleOutcome.UNAVAILABLE)) {
            pageSize.restart();
            refused = true;
        }
        return scheduled;
    }

    /** Whether the index refused a message since this was asked last. */
    boolean takeRefused() {
        boolean was = refused;
        refused = false;
        return was;
    }
}
