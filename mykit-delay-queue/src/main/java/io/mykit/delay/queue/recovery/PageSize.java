package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;

/**
 * How many rows the next page asks for: few at first, then more and more, up to the number that is expected to fit. The store
 * returns only rows that fit ({@code MessageStore.page}); but the database would search for the other rows in vain. One
 * thread.
 */
final class PageSize {
    static final int FIRST = 50;
    /**
     * The maximum of characters in the bodies of a page. A body may have one MiB, and several pages are in memory at the same
     * time.
     */
    static final long BODIES = BodyBounds.TOGETHER;

    /** A reserve for bodies that are larger than the average. */
    private static final int ROOM = 2;

    private static final int GROWTH = 4;

    private final int most;
    private int size;

    /** @param most the maximum of rows, for small bodies */
    PageSize(int most) {
        this.most = most;
        restart();
    }

    int next() {
        return size;
    }

    /** Adapts the size to a page that was read. */
    void read(List<StoredMessage> page) {
        long characters =
                page.stream().mapToLong(row -> row.message().characters()).sum();
        long fit = characters == 0 ? most : Math.max(1, BODIES / ROOM * page.size() / characters);
        size = (int) Math.min(Math.min(most, fit), (long) size * GROWTH);
    }

    /** Starts with few rows again, after a page that could not be read or not be used. */
    void restart() {
        size = Math.min(most, FIRST);
    }
}
