package io.mykit.delay.queue.store.mybatis;

import com.alibaba.druid.pool.ValidConnectionCheckerAdapter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Asks the server behind a pooled connection whether it is there, before the connection is handed out.
 *
 * <p>When a server freezes, every idle connection has to be tried and thrown away. Only the first may take long: after a
 * failure the others get little time, so that all of them together stay within a part of the request's timeout.
 */
final class LivePing extends ValidConnectionCheckerAdapter {
    private static final long MIN_PING_MS = 10;

    private final int patientMs;
    private final int hastyMs;
    private final long hasteNanos;
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

    @Override
    public boolean isValidConnection(Connection connection, String query, int timeoutSeconds) {
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
