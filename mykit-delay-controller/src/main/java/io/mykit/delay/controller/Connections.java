package io.mykit.delay.controller;

import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections: only so many, and none that is kept open for nothing. Thread-safe.
 *
 * <p>Idle means that no request is being answered, however many bytes dribble in: so a head that never ends is idle as
 * well, and a restore that takes minutes is not. Vert.x's own idle timeout sees both the other way round.
 */
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final int limit;
    private final long idleNanos;
    private final AtomicInteger count = new AtomicInteger();
    private final Map<HttpConnection, Use> open = new ConcurrentHashMap<>();

    Connections(int limit, Duration idle) {
        this.limit = limit;
        this.idleNanos = idle.toNanos();
    }

    /** Takes a new connection in, or closes it. */
    void admit(HttpConnection connection) {
        if (count.incrementAndGet() > limit) {
            count.decrementAndGet();
            connection.close();
            return;
        }
        open.put(connection, new Use());
        connection.exceptionHandler(broken -> LOG.debug("A connection broke", broken));
        connection.closeHandler(closed -> {
            open.remove(connection);
            count.decrementAndGet();
        });
    }

    /** A request has come whole as far as its head. */
    Use begin(HttpConnection connection) {
        Use use = open.get(connection);
        if (use == null) {
            // Closed already: nobody will look.
            return new Use();
        }
        use.mark(true);
        return use;
    }

    /** Closes what is idle; to be called several times per idle timeout. */
    void sweep() {
        long now = System.nanoTime();
        open.forEach((connection, use) -> {
            if (!use.busy && now - use.sinceNanos > idleNanos) {
                connection.close();
            }
        });
    }

    /** What is known of one open connection. */
    static final class Use {
        private volatile boolean busy;
        private volatile long sinceNanos = System.nanoTime();

        /** The request was answered. */
        void end() {
            mark(false);
        }

        private void mark(boolean nowBusy) {
            // In this order: a sweep in between sees the fresh time before it sees that nothing is going on.
            sinceNanos = System.nanoTime();
            busy = nowBusy;
        }
    }
}
