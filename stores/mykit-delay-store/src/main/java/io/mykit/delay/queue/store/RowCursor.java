package io.mykit.delay.queue.store;

/**
 * The end of a page. Rows come in the order of due time and id. Keyset paging, see
 * https://use-the-index-luke.com/no-offset.
 */
public record RowCursor(long dueTimeMs, String id) {
    public static final RowCursor START = new RowCursor(Long.MIN_VALUE, "");
}
