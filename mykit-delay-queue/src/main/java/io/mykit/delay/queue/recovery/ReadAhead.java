package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Threads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reads the next page of a walk while the current page is being handled, so that the store and the index work at the same
 * time. One thread uses it. The thread that reads ends by itself when no page is asked for.
 *
 * <p>A row may therefore be a page old when it is used. The caller must check its status before it relies on it.
 */
final class ReadAhead<R> {
    private static final long IDLE_SECONDS = 5;

    private final Supplier<List<R>> pages;
    private final ThreadPoolExecutor reader;
    private CompletableFuture<List<R>> coming;

    /** @param name the name of the thread that reads */
    ReadAhead(String name, Supplier<List<R>> pages) {
        this.pages = pages;
        this.reader = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Threads.named(name));
        reader.allowCoreThreadTimeOut(true);
    }

    /**
     * Returns the next page; empty at the end. Throws the exception of the read; the next call reads the page again.
     */
    List<R> next() {
        CompletableFuture<List<R>> asked = coming == null ? ask() : coming;
        coming = null;
        List<R> page;
        try {
            page = asked.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException reason ? reason : e;
        }
        if (!page.isEmpty()) {
            coming = ask();
        }
        return page;
    }

    private CompletableFuture<List<R>> ask() {
        return CompletableFuture.supplyAsync(pages, reader);
    }
}
