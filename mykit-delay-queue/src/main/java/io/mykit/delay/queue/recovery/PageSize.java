package io.mykit.delay.queue.recovery;

import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;

/**
 * How many rows the next page may have: few at first, then more and more, but no more than so many bytes of bodies are expected
 * in. Bodies may be of one MiB, and several pages are in memory at once. Used by one thread.
 */
final class PageSize {
    static final int FIRST = 50;
    static final long BODIES = 8 << 20;

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
        long fit = characters == 0 ? most : Math.max(1, BODIES * page.size() / characters);
        size = (int) Math.min(Math.min(most, fit), (long) size * GROWTH);
    }

    /** Few again. */
    void restart() {
        size = Math.min(most, FIRST);
    }
}
