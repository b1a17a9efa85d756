package io.mykit.delay.controller.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections. Their number is bounded, and idle ones are closed. Thread-safe.
 *
 * <p>A connection is idle while no request of it is being answered, even if bytes arrive slowly. So a head that never ends
 * is idle, and a restore that takes minutes is not. Vert.x's own idle timeout treats both cases the other way round. A
 * client has to read its answer within the same time; otherwise its connection is closed.
 */
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    /** The bytes of unread answers at which a client that pipelines requests has to read first. */
    private static final int MAX_UNREAD = 16 << 10;

    private final int limit;
    private final long idleNanos;
    private final AtomicInteger count = new AtomicInteger();
    private final Map<HttpConnection, Use> open = new ConcurrentHashMap<>();

    Connections(int limit, Duration idle) {
        this.limit = limit;
        this.idleNanos = idle.toNanos();
    }

    /**
     * Accepts a new connection. At the limit it takes the place of the connection that has been idle longest, so that probes are
     * served beside thousands of connections that ask nothing. If all others are busy, the new one is closed.
     */
    void admit(HttpConnection connection) {
        if (count.incrementAndGet() > limit && !makeRoom()) {
            count.decrementAndGet();
            connection.close();
            return;
        }
        open.put(connection, new Use());
        connection.exceptionHandler(broken -> LOG.debug("A connection broke", broken));
        connection.closeHandler(closed -> left(connection));
    }

    private boolean makeRoom() {
        Optional<Map.Entry<HttpConnection, Use>> idle = open.entrySet().stream()
                .filter(each -> !each.getValue().busy && each.getValue().unread.get() == 0)
                .min(Comparator.comparingLong(each -> each.getValue().sinceNanos));
        idle.ifPresent(each -> {
            left(each.getKey());
            cutOff(each.getKey());
        });
        return idle.isPresent();
    }

    /** Is called once or twice for a connection. */
    private void left(HttpConnection connection) {
        Use use = open.remove(connection);
        if (use != null) {
            count.decrementAndGet();
            use.closed();
        }
    }

    int count() {
        return count.get();
    }

    /** The connections with a request that is not answered yet. */
    long busy() {
        return open.values().stream().filter(use -> use.busy).count();
    }

    /** Whether the answer to a request before was the last one of the connection. */
    boolean isEnding(HttpConnection connection) {
        Use use = open.get(connection);
        return use != null && use.ending;
    }

    /** The head of a request is complete. */
    Use begin(HttpConnection connection) {
        Use use = open.get(connection);
        if (use == null) {
            // The connection is already closed, so no sweep sees it.
            Use closed = new Use();
            closed.closed();
            return closed;
        }
        use.mark(true);
        return use;
    }

    /** Closes connections that are idle or whose answers are not read. It must be called several times per idle timeout. */
    void sweep() {
        long now = System.nanoTime();
        open.forEach((connection, use) -> {
            if (use.unread.get() > 0 && now - use.progressNanos > idleNanos) {
                cutOff(connection);
            } else if (!use.busy && now - use.sinceNanos > idleNanos) {
                connection.close();
            }
        });
    }

    /** Closes at once. Vert.x itself would first write all answers, which never ends if the client does not read. */
    @SuppressWarnings("FutureReturnValueIgnored") // The close handler is told.
    static void cutOff(HttpConnection connection) {
        ((ConnectionBase) connection).channelHandlerContext().close();
    }

    /** The state of one open connection. Changed on its event loop only. */
    static final class Use {
        private volatile boolean busy;
        private volatile long sinceNanos = System.nanoTime();
        /** The bytes of answers that are written but not sent. */
        private final AtomicInteger unread = new AtomicInteger();

        private volatile long progressNanos;
        /** Runs once they are sent. */
        private Runnable next;

        /** Runs if the connection ends before the request at hand was answered. */
        private Runnable hungUp;

        /** Written on the event loop only. */
        private volatile boolean closed;

        /** Used on the event loop only. */
        private boolean ending;

        /** The request was answered. */
        void end() {
            hungUp = null;
            mark(false);
        }

        /** Registers one task for each request. It runs at once if the connection has ended. */
        void whenHungUp(Runnable then) {
            if (closed) {
                then.run();
            } else {
                hungUp = then;
            }
        }

        /** The connection is closed when the answer at hand is sent. Requests that have arrived behind it are not served. */
        void ending() {
            ending = true;
        }

        boolean isClosed() {
            return closed;
        }

        private void closed() {
            closed = true;
            Runnable waiting = hungUp;
            hungUp = null;
            if (waiting != null) {
                waiting.run();
            }
        }

        /** Counts bytes that cannot be sent now, because the client has not read the bytes before them. */
        void unread(int bytes) {
            if (unread.get() == 0) {
                progressNanos = System.nanoTime();
            }
            unread.addAndGet(bytes);
        }

        /** The bytes are sent now, or the connection broke. */
        void wentOut(int bytes) {
            progressNanos = System.nanoTime();
            sinceNanos = progressNanos;
            int left = unread.addAndGet(-bytes);
            Runnable waiting = next;
            if (waiting != null && left <= MAX_UNREAD) {
                next = null;
                waiting.run();
            }
        }

        /** Whether the client has to read before its next request is served. */
        boolean mustRead() {
            return unread.get() > MAX_UNREAD;
        }

        /** Requests of one connection come one after the other, so there is one task at a time. */
        void whenRead(Runnable then) {
            next = then;
        }

        private void mark(boolean nowBusy) {
            // The order matters: a sweep in between sees the new time before it sees an idle connection.
            sinceNanos = System.nanoTime();
            busy = nowBusy;
        }
    }
}
