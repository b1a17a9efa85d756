package io.mykit.delay.queue.housekeeping;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.EndedRow;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import java.util.List;

/**
 * A walk over the messages in one status, by due time and id along the index, that were last changed before a limit. The
 * cursor only goes forward: what was removed behind it, and is still in the index until the database purges it, is not
 * met again. One thread.
 */
final class RemovalCursor {
    private final MessageStatus status;
    private final long changedBeforeMs;
    private final long dueBeforeMs;
    private RowCursor cursor;
    private boolean ended;
    private long behindMs;

    private RemovalCursor(MessageStatus status, long changedBeforeMs, RowCursor cursor, long dueBeforeMs) {
        this.status = status;
        this.changedBeforeMs = changedBeforeMs;
        this.cursor = cursor;
        this.dueBeforeMs = dueBeforeMs;
    }

    /** Over those that were due before the limit as well: for whatever ends after its due time, these are all. */
    static RemovalCursor overdue(MessageStatus status, long changedBeforeMs) {
        return new RemovalCursor(status, changedBeforeMs, RowCursor.START, changedBeforeMs);
    }

    /** Over the others, which ended before they were due, and young ones between them. */
    static RemovalCursor ahead(MessageStatus status, long changedBeforeMs) {
        return new RemovalCursor(status, changedBeforeMs, new RowCursor(changedBeforeMs, ""), Long.MAX_VALUE);
    }

    MessageStatus status() {
        return status;
    }

    /** Epoch milliseconds, exclusive. */
    long changedBeforeMs() {
        return changedBeforeMs;
    }

    /** The page after the cursor, which stays where it is: a round that fails begins with the same page. */
    List<EndedRow> page(MessageStore store, int limit) {
        return store.pageEnded(status, cursor, dueBeforeMs, limit);
    }

    /** Those of a page that are to go. */
    List<EndedRow> old(List<EndedRow> page) {
        return page.stream().filter(row -> row.updateTimeMs() < changedBeforeMs).toList();
    }

    /**
     * Goes on to the next page.
     *
     * @param isLast nothing comes after this page
     * @param newBehindMs see {@link #behindMs}
     */
    void pass(List<EndedRow> page, boolean isLast, long newBehindMs) {
        ended = isLast;
        behindMs = newBehindMs;
        if (!page.isEmpty()) {
            EndedRow last = page.get(page.size() - 1);
            cursor = new RowCursor(last.dueTimeMs(), last.id());
        }
    }

    boolean isEnded() {
        return ended;
    }

    /** How much longer than asked for the messages of the last page were kept; milliseconds. */
    long behindMs() {
        return behindMs;
    }
}
