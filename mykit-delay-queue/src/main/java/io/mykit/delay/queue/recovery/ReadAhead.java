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
 * Reads the next page of a walk while the last one is being worked on, so that the store and the index are busy at the
 * same time. Used by one thread; the one that reads ends by itself when nothing is asked for.
 *
 * <p>A row may therefore be a page older than its turn. Whoever uses one must not trust its status without looking.
 */
final class ReadAhead<R> {
    private static final long IDLE_SECONDS = 5;

    private final Supplier<List<R>> pages;
    private final ThreadPoolExecutor reader;
    private CompletableFuture<List<R>> coming;

    /** @param name of the thread that reads */
    ReadAhead(String name, Supplier<List<R>> pages) {
        this.pages = pages;
        this.reader = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Threads.named(name));
        reader.allowCoreThreadTimeOut(true);
    }

    /** The next page; empty at the end. Throws what reading it threw; the next call reads it again. */
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
