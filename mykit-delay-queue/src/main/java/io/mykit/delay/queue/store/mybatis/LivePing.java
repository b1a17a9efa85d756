package io.mykit.delay.queue.store.mybatis;

import com.alibaba.druid.pool.ValidConnectionCheckerAdapter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Asks the server behind a pooled connection whether it is there, before the connection is handed out;
 * unless it has answered a moment ago.
 *
 * <p>When a server freezes, dies or moves, all its connections are of no use any more. The first one that turns out to be dead
 * tells so: those that have not answered since are thrown away without a question. Thread-safe.
 */
final class LivePing extends ValidConnectionCheckerAdapter {
    private static final long MIN_PING_MS = 10;

    /** Short enough that a server does not come back in between, long enough to spare a busy pool its pings. */
    private static final long MOMENT_NANOS = Duration.ofMillis(100).toNanos();

    private final int patienceMs;
    /** Of connections that have answered since the last one died. */
    private final Map<Connection, Long> answeredAtNanos = Collections.synchronizedMap(new WeakHashMap<>());

    /** @param patience with which an answer is waited for */
    LivePing(Duration patience) {
        this.patienceMs = (int) Math.max(patience.toMillis(), MIN_PING_MS);
    }

    /** It need not be asked for a moment. */
    void answered(Connection connection) {
        answeredAtNanos.put(connection, System.nanoTime());
    }

    /** A connection died, and with it all that do not answer on their own. */
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

    /** JDBC counts the timeout of a ping in seconds; the one of the network counts in milliseconds. */
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
