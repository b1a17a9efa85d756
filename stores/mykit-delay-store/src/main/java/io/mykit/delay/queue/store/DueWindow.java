package io.mykit.delay.queue.store;

/**
 * A span of due times, in epoch milliseconds.
 *
 * @param fromMs inclusive; {@link Long#MIN_VALUE} = from the first
 * @param toMs exclusive; {@link Long#MAX_VALUE} = to the last
 */
public record DueWindow(long fromMs, long toMs) {
    public static final DueWindow ALL = new DueWindow(Long.MIN_VALUE, Long.MAX_VALUE);

    public boolean contains(long dueTimeMs) {
        return dueTimeMs >= fromMs && dueTimeMs < toMs;
    }

    /** The key before the first row of the window behind this cursor. Ids are never empty, so the window's begin has none. */
    public RowCursor begin(RowCursor after) {
        return after.dueTimeMs() < fromMs ? new RowCursor(fromMs, "") : after;
    }
}
