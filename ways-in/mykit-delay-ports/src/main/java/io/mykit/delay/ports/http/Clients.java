package io.mykit.delay.ports.http;

import io.vertx.core.http.HttpConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The open connections of a port: their number is bounded, and those that rest too long are closed. Thread-safe. */
final class Clients {
    private final PortBounds bounds;
    private final AtomicInteger count = new AtomicInteger();
    private final Map<HttpConnection, Client> open = new ConcurrentHashMap<>();

    Clients(PortBounds bounds) {
        this.bounds = bounds;
    }

    void admit(HttpConnection connection) {
        if (count.incrementAndGet() > bounds.connections()) {
            count.decrementAndGet();
            var unused = connection.close();
            return;
        }
        Client client = new Client(connection);
        open.put(connection, client);
        connection.exceptionHandler(broken -> {});
        connection.closeHandler(closed -> {
            if (open.remove(connection) != null) {
                count.decrementAndGet();
            }
            client.closed();
        });
    }

    /** A connection that was closed at its beginning has a client of its own. */
    Client of(HttpConnection connection) {
        Client client = open.get(connection);
        return client == null ? new Client(connection) : client;
    }

    void sweep() {
        long now = System.nanoTime();
        open.values().stream()
                .filter(client -> client.isOver(
                        now, bounds.idle().toNanos(), bounds.read().toNanos()))
                .forEach(client -> {
                    var unused = client.connection().close();
                });
    }
}
