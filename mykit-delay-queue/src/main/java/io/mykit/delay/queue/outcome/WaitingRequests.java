package io.mykit.delay.queue.outcome;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The requests that wait, by the ids of their messages. Thread-safe. */
final class WaitingRequests {
    private final Map<String, List<CompletableFuture<Void>>> byId = new HashMap<>();
    private int size;

    /** Returns the number of requests that wait now; 0 = not added, because {@code limit} requests wait already. */
    synchronized int add(String id, CompletableFuture<Void> end, int limit) {
        if (size >= limit) {
            return 0;
        }
        byId.computeIfAbsent(id, first -> new ArrayList<>()).add(end);
        return ++size;
    }

    synchronized void remove(String id, CompletableFuture<Void> end) {
        List<CompletableFuture<Void>> same = byId.get(id);
        if (same != null && same.removeIf(other -> other == end)) {
            size--;
            if (same.isEmpty()) {
                byId.remove(id);
            }
        }
    }

    /** The requests that wait now, by the ids of their messages. */
    synchronized Map<String, List<CompletableFuture<Void>>> all() {
        Map<String, List<CompletableFuture<Void>>> all = new HashMap<>();
        byId.forEach((id, ends) -> all.put(id, List.copyOf(ends)));
        return all;
    }

    synchronized int size() {
        return size;
    }
}
