package io.mykit.delay.ports.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpConnection;
import java.util.ArrayList;
import java.util.List;

/** One open connection. Its event loop changes it, and the sweep reads it. */
final class Client {
    private final HttpConnection connection;
    private volatile boolean busy;
    private volatile boolean writing;
    private volatile long sinceNanos = System.nanoTime();
    /** The answer before; the next request is served when it has gone out. */
    private Future<Void> written = Future.succeededFuture();

    private boolean closed;
    private List<Runnable> hangUps = new ArrayList<>();

    Client(HttpConnection connection) {
        this.connection = connection;
    }

    HttpConnection connection() {
        return connection;
    }

    /** A request has begun. */
    void begin() {
        sinceNanos = System.nanoTime();
        busy = true;
    }

    /** The answer is on its way. */
    void answered(Future<Void> out) {
        hangUps = new ArrayList<>();
        written = out;
        sinceNanos = System.nanoTime();
        writing = true;
        busy = false;
        out.onComplete(done -> {
            sinceNanos = System.nanoTime();
            writing = false;
        });
    }

    Future<Void> written() {
        return written;
    }

    void whenHungUp(Runnable then) {
        if (closed) {
            then.run();
        } else {
            hangUps.add(then);
        }
    }

    void closed() {
        closed = true;
        hangUps.forEach(Runnable::run);
        hangUps = new ArrayList<>();
    }

    /** Whether the connection rests, or its answer is not read, for longer than these times. */
    boolean isOver(long now, long idleNanos, long readNanos) {
        return !busy && now - sinceNanos > (writing ? readNanos : idleNanos);
    }
}
