package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.MessagePage;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * Walks through the rows of several statuses together in the order of their due times, page by page. Pages are found by
 * keyset, never by offset. Memory holds at most one page for each status and the page that is being built. The bodies of all
 * these pages together are at most {@link PageSize#BODIES} long, unless a single body is longer. One thread.
 *
 * <p>One cursor serves all statuses. So a row that moves to another of these statuses behind the cursor is not found again,
 * and a walk can continue where an earlier walk ended.
 *
 * @param <R> a row
 */
final class DueRows<R> {
    private static final Comparator<RowCursor> ORDER =
            Comparator.comparingLong(RowCursor::dueTimeMs).thenComparing(RowCursor::id);

    private final Source<R> source;
    private final Function<R, RowCursor> cursorOf;
    private final IntSupplier pageSize;
    /** Whether a page ends as soon as more rows would have to be read. */
    private final boolean bounded;

    private final List<Lane> lanes;
    private RowCursor cursor;
    /** The rows of the next page so far; kept if a read fails. */
    private List<R> page = new ArrayList<>();

    private DueRows(
            List<MessageStatus> statuses,
            RowCursor after,
            IntSupplier pageSize,
            boolean bounded,
            Source<R> source,
            Function<R, RowCursor> cursorOf) {
        this.source = source;
        this.cursorOf = cursorOf;
        this.pageSize = pageSize;
        this.bounded = bounded;
        this.cursor = after;
        this.lanes = statuses.stream().map(Lane::new).toList();
    }

    /** Walks through all messages in these statuses after the cursor. */
    static DueRows<StoredMessage> messages(
            MessageStore store, List<MessageStatus> statuses, RowCursor after, int pageSize) {
        return messages(store, statuses, after, Long.MAX_VALUE, pageSize);
    }

    /** Walks through the messages in these statuses after the cursor that are due before this time (epoch milliseconds). */
    static DueRows<StoredMessage> messages(
            MessageStore store, List<MessageStatus> statuses, RowCursor after, long dueBeforeMs, int pageSize) {
        PageSize size = new PageSize(pageSize);
        long bodies = PageSize.BODIES / statuses.size();
        return new DueRows<>(
                statuses,
                after,
                size::next,
                true,
                (status, from, limit) -> {
                    try {
                        MessagePage page = store.page(status, from, dueBeforeMs, limit, bodies);
                        size.read(page.rows());
                        return new Part<>(page.rows(), page.last());
                    } catch (RuntimeException | Error e) {
                        size.restart();
                        throw e;
                    }
                },
                DueRows::cursor);
    }

    /**
     * Walks through the light part of all messages in these statuses after the cursor that are due before this time (epoch
     * milliseconds).
     */
    static DueRows<RowState> states(
            MessageStore store, List<MessageStatus> statuses, RowCursor after, long dueBeforeMs, int pageSize) {
        return new DueRows<>(
                statuses,
                after,
                () -> pageSize,
                false,
                (status, from, limit) -> {
                    List<RowState> rows = store.pageStates(status, from, dueBeforeMs, limit);
                    return new Part<>(rows, rows.size() < limit);
                },
                row -> new RowCursor(row.dueTimeMs(), row.id()));
    }

    /** Returns the cursor with which a walk continues after this row. */
    static RowCursor cursor(StoredMessage row) {
        return new RowCursor(row.message().dueTimeMs(), row.message().id());
    }

    /** Returns the next page; empty at the end. If it throws, no row is lost: the next call reads again. */
    List<R> next() {
        int limit = pageSize.getAsInt();
        while (page.size() < limit && !isEnough()) {
            Lane first = first();
            if (first == null) {
                break;
            }
            R row = first.rows.removeFirst();
            cursor = cursorOf.apply(row);
            page.add(row);
        }
        List<R> full = page;
        page = new ArrayList<>();
        return full;
    }

    /** Whether the page must end now. A further read for a page that has rows would need as much memory again. */
    private boolean isEnough() {
        return bounded && !page.isEmpty() && lanes.stream().anyMatch(Lane::isUsedUp);
    }

    /** Returns the lane whose next row is due first; null = all lanes are at their end. */
    private Lane first() {
        Lane first = null;
        for (Lane lane : lanes) {
            // The last row of an empty lane is the last row of all so far. So the lane continues at the common cursor.
            lane.fill();
            if (!lane.rows.isEmpty() && (first == null || lane.compareTo(first) < 0)) {
                first = lane;
            }
        }
        return first;
    }

    /** Reads rows of one status. */
    private interface Source<R> {
        Part<R> page(MessageStatus status, RowCursor after, int limit);
    }

    /** @param last whether no row comes after this part; an empty part need not be the last */
    private record Part<R>(List<R> rows, boolean last) {}

    /** The rows of one status that were read and not yet returned. */
    private final class Lane implements Comparable<Lane> {
        private final MessageStatus status;
        private final Deque<R> rows = new ArrayDeque<>();
        private boolean ended;

        Lane(MessageStatus status) {
            this.status = status;
        }

        void fill() {
            while (isUsedUp()) {
                Part<R> part = source.page(status, cursor, pageSize.getAsInt());
                rows.addAll(part.rows());
                ended = part.last();
            }
        }

        boolean isUsedUp() {
            return rows.isEmpty() && !ended;
        }

        @Override
        public int compareTo(Lane other) {
            return ORDER.compare(cursorOf.apply(rows.getFirst()), cursorOf.apply(other.rows.getFirst()));
        }
    }
}
