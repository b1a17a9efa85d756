package io.mykit.delay.controller;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Waits end when a test ends them. */
final class StubAwaiting {
    final Map<String, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();
    final Map<String, Duration> waits = new ConcurrentHashMap<>();
    volatile boolean full;

    void requirePlace() {
        if (full) {
            throw new DelayException(ErrorCode.BUSY, "too many requests wait");
        }
    }

    CompletableFuture<Void> ended(String id, Duration longest) {
        requirePlace();
        CompletableFuture<Void> end = new CompletableFuture<>();
        waits.put(id, longest);
        waiting.put(id, end);
        return end;
    }

    void stop() {
        waiting.values().forEach(end -> end.complete(null));
    }
}
