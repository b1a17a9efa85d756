package io.mykit.delay.queue.store;

/** Where a page ended: rows come by due time, then id. Keyset paging, see https://use-the-index-luke.com/no-offset. */
public record RowCursor(long dueTimeMs, String id) {
    public static final RowCursor START = new RowCursor(Long.MIN_VALUE, "");
}
