package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Walks rows page by page, by keyset. One thread.
 *
 * @param <R> a row
 */
final class RowPages<R> {
    private final BiFunction<RowCursor, Integer, List<R>> source;
    private final Function<R, RowCursor> cursorOf;
    private final int pageSize;
    private RowCursor cursor = RowCursor.START;
    private boolean ended;

    private RowPages(BiFunction<RowCursor, Integer, List<R>> source, Function<R, RowCursor> cursorOf, int pageSize) {
        this.source = source;
        this.cursorOf = cursorOf;
        this.pageSize = pageSize;
    }

    /** All messages in this status. */
    static RowPages<StoredMessage> messages(MessageStore store, MessageStatus status, int pageSize) {
        return new RowPages<>(
                (cursor, limit) -> store.page(status, cursor, Long.MAX_VALUE, limit),
                row -> new RowCursor(row.message().dueTimeMs(), row.message().id()),
                pageSize);
    }

    /** The light part of all messages in this status that fall due before this (epoch milliseconds). */
    static RowPages<RowState> states(MessageStore store, MessageStatus status, long dueBeforeMs, int pageSize) {
        return new RowPages<>(
                (cursor, limit) -> store.pageStates(status, cursor, dueBeforeMs, limit),
                row -> new RowCursor(row.dueTimeMs(), row.id()),
                pageSize);
    }

    /** The next page; empty at the end. If it throws, the same page is read again next time. */
    List<R> next() {
        if (ended) {
            return List.of();
        }
        List<R> page = source.apply(cursor, pageSize);
        ended = page.size() < pageSize;
        if (!page.isEmpty()) {
            cursor = cursorOf.apply(page.get(page.size() - 1));
        }
        return page;
    }
}
