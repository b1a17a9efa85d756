package io.mykit.delay.queue.search;

import io.mykit.delay.queue.store.FoundMessage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** The rows of one range of an index, read page by page. One thread. */
final class RowStream {
    private final Pages pages;
    private final int step;
    private final Queue<FoundMessage> read = new ArrayDeque<>();
    private SearchCursor after;
    private boolean ended;

    /** @param step the rows of one page */
    RowStream(Pages pages, SearchCursor after, int step) {
        this.pages = pages;
        this.after = after;
        this.step = step;
    }

    /** Whether {@link #peek} reads nothing from the store. */
    boolean isRead() {
        return !read.isEmpty() || ended;
    }

    /** The next row, which stays; null = no row is left. */
    FoundMessage peek() {
        if (!isRead()) {
            List<FoundMessage> page = pages.read(after, step);
            read.addAll(page);
            ended = page.size() < step;
            if (!page.isEmpty()) {
                after = after.behind(page.get(page.size() - 1));
            }
        }
        return read.peek();
    }

    /** Passes the row that {@link #peek} has shown. */
    void pass() {
        read.remove();
    }

    /** Reads a page of rows behind a cursor. */
    @FunctionalInterface
    interface Pages {
        List<FoundMessage> read(SearchCursor after, int limit);
    }
}
