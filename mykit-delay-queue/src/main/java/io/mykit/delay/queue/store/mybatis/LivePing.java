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
 * <p>When a server freezes, every idle connection has to be tried and thrown away. Only the first may take long: after a
 * failure the others get little time, so that all of them together stay within a part of the request's timeout.
 */
final class LivePing extends ValidConnectionCheckerAdapter {
    private static final long MIN_PING_MS = 10;

    /** Short enough that a server does not come back in between, long enough to spare a busy pool its pings. */
    private static final long MOMENT_NANOS = Duration.ofMillis(100).toNanos();

    private final int patientMs;
    private final int hastyMs;
    private final long hasteNanos;
    private final Map<Connection, Long> answeredAtNanos = Collections.synchronizedMap(new WeakHashMap<>());
    private volatile long failedAtNanos;
    private volatile boolean failed;

    /**
     * @param budget for the first ping; and for all that follow a failure together
     * @param connections how many there may be
     */
    LivePing(Duration budget, int connections) {
        this.patientMs = (int) Math.max(budget.toMillis(), MIN_PING_MS);
        this.hastyMs = (int) Math.max(budget.toMillis() / connections, MIN_PING_MS);
        this.hasteNanos = budget.toNanos() * 4;
    }

    /** It need not be asked for a moment. */
    void answered(Connection connection) {
        answeredAtNanos.put(connection, System.nanoTime());
    }

    /** All have to be asked again. */
    void forgetAnswers() {
        answeredAtNanos.clear();
    }

    @Override
    public boolean isValidConnection(Connection connection, String query, int timeoutSeconds) {
        Long answered = answeredAtNanos.get(connection);
        if (answered != null && System.nanoTime() - answered < MOMENT_NANOS) {
            return true;
        }
        try {
            boolean alive = ping(connection, hurried() ? hastyMs : patientMs);
            failed = !alive;
            return alive;
        } catch (SQLException e) {
            failed = true;
            return false;
        } finally {
            if (failed) {
                failedAtNanos = System.nanoTime();
                forgetAnswers();
            }
        }
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

    private boolean hurried() {
        return failed && System.nanoTime() - failedAtNanos < hasteNanos;
    }
}
