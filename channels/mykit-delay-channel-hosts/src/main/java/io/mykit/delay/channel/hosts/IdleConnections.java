package io.mykit.delay.channel.hosts;

import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bounds the open connections that carry many requests each: above the bound the one that has been without requests for the longest
 * time is closed. A connection with requests stays; the bound of requests is theirs. The event loop alone calls it.
 */
final class IdleConnections {
    private final int maxOpen;
    /** The requests of each open connection. */
    private final Map<HttpConnection, Integer> requests = new HashMap<>();
    /** The connections without requests, the last used one at the end. */
    private final Map<HttpConnection, Boolean> idle = new LinkedHashMap<>();

    IdleConnections(int maxOpen) {
        this.maxOpen = maxOpen;
    }

    void opened(HttpConnection connection) {
        requests.put(connection, 0);
        idle.put(connection, true);
        connection.closeHandler(closed -> {
            requests.remove(connection);
            idle.remove(connection);
        });
    }

    void taken(HttpConnection connection) {
        if (requests.computeIfPresent(connection, (open, count) -> count + 1) != null) {
            idle.remove(connection);
            closeSome();
        }
    }

    void left(HttpConnection connection) {
        Integer count = requests.computeIfPresent(connection, (open, before) -> Math.max(0, before - 1));
        if (count != null && count == 0) {
            idle.put(connection, true);
            closeSome();
        }
    }

    private void closeSome() {
        while (requests.size() > maxOpen && !idle.isEmpty()) {
            HttpConnection oldest = idle.keySet().iterator().next();
            idle.remove(oldest);
            requests.remove(oldest);
            oldest.close();
        }
    }
}
