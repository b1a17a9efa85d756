package io.mykit.delay.queue.store.mybatis;

import com.alibaba.druid.pool.ValidConnectionCheckerAdapter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Pings the server behind a pooled connection before the pool gives the connection out. A connection that answered a
 * moment ago gets no ping.
 *
 * <p>When a server freezes, dies or moves, all its connections become useless. After the first connection turns out
 * to be dead, connections that have not answered since are removed without a ping. Thread-safe.
 */
final class LivePing extends ValidConnectionCheckerAdapter {
    private static final long MIN_PING_MS = 10;

    /** Short enough that a server does not restart in this time, and long enough to save the pings of a busy pool. */
    private static final long MOMENT_NANOS = Duration.ofMillis(100).toNanos();

    private final int patienceMs;
    /** The last answers of connections that have answered since the last connection died. */
    private final Map<Connection, Long> answeredAtNanos = Collections.synchronizedMap(new WeakHashMap<>());

    /** @param patience the longest wait for the answer to a ping */
    LivePing(Duration patience) {
        this.patienceMs = (int) Math.max(patience.toMillis(), MIN_PING_MS);
    }

    /** Notes an answer. The connection needs no ping for a moment. */
    void answered(Connection connection) {
        answeredAtNanos.put(connection, System.nanoTime());
    }

    /** Notes a dead connection. Every other connection counts as dead too, until it answers. */
    void died() {
        answeredAtNanos.clear();
    }

    @Override
    public boolean isValidConnection(Connection connection, String query, int timeoutSeconds) {
        Long answered = answeredAtNanos.get(connection);
        if (answered == null) {
            return false;
        }
        if (System.nanoTime() - answered < MOMENT_NANOS) {
            return true;
        }
        boolean alive;
        try {
            alive = ping(connection, patienceMs);
        } catch (SQLException e) {
            alive = false;
        }
        if (!alive) {
            died();
        }
        return alive;
    }

    /**
     * Pings a connection. The timeout of the network is used, because it is in milliseconds; JDBC has the timeout of
     * a ping in seconds.
     */
    static boolean ping(Connection connection, int timeoutMs) throws SQLException {
        int before = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, timeoutMs);
        boolean alive = connection.isValid(0);
        if (alive) {
            connection.setNetworkTimeout(Runnable::run, before);
        }
        return alive;
    }
}
