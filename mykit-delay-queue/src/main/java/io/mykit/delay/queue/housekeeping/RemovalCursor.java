package io.mykit.delay.queue.housekeeping;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.EndedRow;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import java.util.List;

/**
 * A walk over the messages in one status whose last change was before a limit. It follows the database index by due
 * time and id. The cursor only goes forward, so the walk does not meet removed index entries again that the database
 * has not purged yet. One thread.
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

    /**
     * A walk over the messages that were due before the limit as well. If all messages of a status end after their
     * due time, this walk meets all that are to be removed.
     */
    static RemovalCursor overdue(MessageStatus status, long changedBeforeMs) {
        return new RemovalCursor(status, changedBeforeMs, RowCursor.START, changedBeforeMs);
    }

    /**
     * A walk over the messages that are due after a time: it meets those that ended before their due time, and young ones between
     * them.
     */
    static RemovalCursor ahead(MessageStatus status, long changedBeforeMs, long dueAfterMs) {
        return new RemovalCursor(status, changedBeforeMs, new RowCursor(dueAfterMs, ""), Long.MAX_VALUE);
    }

    MessageStatus status() {
        return status;
    }

    /** Epoch milliseconds, exclusive. */
    long changedBeforeMs() {
        return changedBeforeMs;
    }

    /** Reads the page after the cursor. The cursor stays, so a round that fails begins with the same page. */
    List<EndedRow> page(MessageStore store, int limit) {
        return store.pageEnded(status, cursor, dueBeforeMs, limit);
    }

    /** The rows of a page that are to be removed. */
    List<EndedRow> old(List<EndedRow> page) {
        return page.stream().filter(row -> row.updateTimeMs() < changedBeforeMs).toList();
    }

    /**
     * Moves the cursor to the next page.
     *
     * @param isLast true if no row comes after this page
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

    /** The time by which the messages of the last page were kept longer than their retention; milliseconds. */
    long behindMs() {
        return behindMs;
    }
}
