package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;

/**
 * How many rows the next page is asked for: few at first, then more and more, but no more than are expected to fit. What does not
 * fit is not read, whatever is expected ({@code MessageStore.page}); but the database would have looked at it in vain. Used by
 * one thread.
 */
final class PageSize {
    static final int FIRST = 50;
    /** Bodies of a page. They may be of one MiB each, and several pages are in memory at once. */
    static final long BODIES = BodyBounds.TOGETHER;

    /** Some bodies are larger than the average and fit all the same. */
    private static final int ROOM = 2;

    private static final int GROWTH = 4;

    private final int most;
    private int size;

    /** @param most rows, however small they are */
    PageSize(int most) {
        this.most = most;
        restart();
    }

    int next() {
        return size;
    }

    /** A page has been read. */
    void read(List<StoredMessage> page) {
        long characters =
                page.stream().mapToLong(row -> row.message().body().length()).sum();
        long fit = characters == 0 ? most : Math.max(1, BODIES / ROOM * page.size() / characters);
        size = (int) Math.min(Math.min(most, fit), (long) size * GROWTH);
    }

    /** Few again: after a page that could not be read, or not be used. */
    void restart() {
        size = Math.min(most, FIRST);
    }
}
