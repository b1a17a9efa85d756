package io.mykit.delay.controller.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
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
 * well, and a restore that takes minutes is not. Vert.x's own idle timeout sees both the other way round. A client that does
 * not read is given up after the same time: an answer has to be read within it.
 */
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    /** Answers to requests that are sent one after the other without reading. */
    private static final int MAX_UNREAD = 16 << 10;

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
            Use use = open.remove(connection);
            count.decrementAndGet();
            if (use != null) {
                use.closed();
            }
        });
    }

    /** A request has come whole as far as its head. */
    Use begin(HttpConnection connection) {
        Use use = open.get(connection);
        if (use == null) {
            // Closed already: no sweep looks at it.
            Use closed = new Use();
            closed.closed();
            return closed;
        }
        use.mark(true);
        return use;
    }

    /** Closes what is idle or not read; to be called several times per idle timeout. */
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

    /** Closes at once. Vert.x itself would first write out the answers, which does not end while the client does not read. */
    @SuppressWarnings("FutureReturnValueIgnored") // The close handler is told.
    static void cutOff(HttpConnection connection) {
        ((ConnectionBase) connection).channelHandlerContext().close();
    }

    /** The state of one open connection. Changed on its event loop only. */
    static final class Use {
        private volatile boolean busy;
        private volatile long sinceNanos = System.nanoTime();
        /** Bytes of answers that were written and have not gone out. */
        private final AtomicInteger unread = new AtomicInteger();

        private volatile long progressNanos;
        /** Waits until they have. */
        private Runnable next;

        /** Runs if the connection ends before the request at hand was answered. */
        private Runnable hungUp;

        private boolean closed;

        /** The request was answered. */
        void end() {
            hungUp = null;
            mark(false);
        }

        /** Only one for each request; at once if the connection has ended. */
        void whenHungUp(Runnable then) {
            if (closed) {
                then.run();
            } else {
                hungUp = then;
            }
        }

        private void closed() {
            closed = true;
            Runnable waiting = hungUp;
            hungUp = null;
            if (waiting != null) {
                waiting.run();
            }
        }

        /** Bytes that cannot go out now, because the client did not read what came before. */
        void unread(int bytes) {
            if (unread.get() == 0) {
                progressNanos = System.nanoTime();
            }
            unread.addAndGet(bytes);
        }

        /** They have gone out now, or the connection broke. */
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

        /** Whether the client has to read before it may ask on. */
        boolean mustRead() {
            return unread.get() > MAX_UNREAD;
        }

        /** Only one at a time: requests of one connection come one after the other. */
        void whenRead(Runnable then) {
            next = then;
        }

        private void mark(boolean nowBusy) {
            // In this order: a sweep in between sees the fresh time before it sees that nothing is going on.
            sinceNanos = System.nanoTime();
            busy = nowBusy;
        }
    }
}
