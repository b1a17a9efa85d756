package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.MessagePage;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The rows of one status that wait for the loader, the most urgent first. Rows that are loaded leave the status, so each page
 * usually begins at the start.
 *
 * <p>Rows of buckets that are not served stay, and so do vetoed rows. The walk continues behind them, so that it does not read them
 * again and again, and reaches the rows behind them. It begins again as soon as one of their buckets is served. It also begins again from
 * time to time, because a row may have come back to the status behind the cursor. One thread.
 */
final class WaitingRows {
    /** The walk begins again after this time, and not before as much time as the walk itself took. */
    private static final long AGAIN_NANOS = Duration.ofSeconds(5).toNanos();
    /** As {@link #AGAIN_NANOS}, if rows stay only because they are vetoed: a veto is short. */
    private static final long VETOED_NANOS = Duration.ofSeconds(1).toNanos();

    private final MessageStore store;
    private final MessageStatus status;
    private final LongSupplier nanoTime;
    private final Set<Integer> leftOut = new HashSet<>();
    private RowCursor cursor = RowCursor.START;
    private long begunNanos;
    private long againNanos;
    private boolean ended;
    private boolean vetoed;

    WaitingRows(MessageStore store, MessageStatus status) {
        this(store, status, System::nanoTime);
    }

    WaitingRows(MessageStore store, MessageStatus status, LongSupplier nanoTime) {
        this.store = store;
        this.status = status;
        this.nanoTime = nanoTime;
    }

    /** Whether no row was left out in this walk. Then the served buckets do not matter. */
    boolean isWhole() {
        return leftOut.isEmpty();
    }

    /**
     * Reads the next page.
     *
     * @param out buckets that are not served now
     */
    MessagePage page(Set<Integer> out, long dueBeforeMs, int limit) {
        boolean again = ended && nanoTime.getAsLong() - againNanos >= 0;
        if (again || !out.containsAll(leftOut)) {
            cursor = RowCursor.START;
            leftOut.clear();
            vetoed = false;
            ended = false;
        }
        if (cursor.equals(RowCursor.START)) {
            begunNanos = nanoTime.getAsLong();
        }
        return store.page(status, cursor, dueBeforeMs, limit, PageSize.BODIES);
    }

    /**
     * Passes a page whose loadable rows are loaded.
     *
     * @param buckets the buckets of rows that stay because their buckets are not served
     * @param anyVetoed whether rows stay because they are vetoed
     */
    void pass(MessagePage page, Set<Integer> buckets, boolean anyVetoed) {
        leftOut.addAll(buckets);
        vetoed |= anyVetoed;
        if (leftOut.isEmpty() && !vetoed) {
            return;
        }
        List<StoredMessage> rows = page.rows();
        if (!rows.isEmpty()) {
            cursor = DueRows.cursor(rows.get(rows.size() - 1));
        }
        if (page.last() && !ended) {
            ended = true;
            long now = nanoTime.getAsLong();
            againNanos = now + Math.max(leftOut.isEmpty() ? VETOED_NANOS : AGAIN_NANOS, now - begunNanos);
        }
    }
}
