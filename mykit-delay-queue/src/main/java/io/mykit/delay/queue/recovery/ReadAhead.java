package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Threads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Reads the next page of a walk while the current page is being handled, so that the store and the index work at the same
 * time. One thread uses it. The thread that reads ends by itself when no page is asked for.
 *
 * <p>A row may therefore be a page old when it is used. The caller must check its status before it relies on it.
 */
final class ReadAhead<R> {
    private final Supplier<List<R>> pages;
    private final Executor reader;
    private CompletableFuture<List<R>> coming;

    /** @param name the name of the thread that reads */
    ReadAhead(String name, Supplier<List<R>> pages) {
        this(pages, Threads.single(name));
    }

    /** @param reader reads one page after the other */
    ReadAhead(Supplier<List<R>> pages, Executor reader) {
        this.pages = pages;
        this.reader = reader;
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
            coming = askAhead();
        }
        return page;
    }

    /** Null if no thread can be started: the page that was read must not be lost by that, and the next call asks again. */
    private CompletableFuture<List<R>> askAhead() {
        try {
            return ask();
        } catch (Error e) {
            return null;
        }
    }

    private CompletableFuture<List<R>> ask() {
        return CompletableFuture.supplyAsync(pages, reader);
    }
}
