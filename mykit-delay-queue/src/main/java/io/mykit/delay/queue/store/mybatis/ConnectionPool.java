package io.mykit.delay.queue.store.mybatis;

import com.alibaba.druid.pool.DruidDataSource;
import com.alibaba.druid.pool.DruidPooledConnection;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.DatasourceConfig;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * Druid's pool, made to fail within the timeout and to come back by itself. {@link ConnectionPools} has one for each use.
 *
 * <p>Waiting for a connection is bounded by the timeout: half of it for pings, half for waiting. While the server
 * refuses connections, callers are refused at once.
 */
final class ConnectionPool extends DruidDataSource {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final Backoff RECONNECT = new Backoff(Duration.ofMillis(50), Duration.ofMillis(500));

    private final transient LivePing livePing;
    private final transient OutageLog outage;

    /**
     * Opens nothing yet.
     *
     * @param outage is told what comes of connecting
     * @param connections at most
     * @param transactional whether its connections are in a transaction from one commit to the next, or each statement is
     *     one of its own
     */
    ConnectionPool(
            JdbcUrl url,
            DatasourceConfig config,
            LivePing livePing,
            OutageLog outage,
            int connections,
            boolean transactional) {
        this.livePing = livePing;
        this.outage = outage;
        setUrl(url.value());
        config.username().ifPresent(this::setUsername);
        config.password().map(Secret::reveal).ifPresent(this::setPassword);
        setMaxActive(connections);
        setMinIdle(Math.min(2, connections));
        setInitialSize(0);
        setMaxWait(config.timeout().dividedBy(2).toMillis());
        setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        setDefaultAutoCommit(!(transactional && url.dialect().isAlwaysInTransaction()));
        setValidConnectionChecker(livePing);
        setTestOnBorrow(true);
        setKeepAlive(true);
        setFailFast(true);
        // Where all wait for one connection each gets its turn.
        setUseUnfairLock(connections > 1);
    }

    /**
     * Druid logs a stack trace for every attempt and sleeps in between without backoff; here an attempt lasts until it
     * succeeds, or the pool is closed (null then). Called on Druid's own creating thread only, as nothing is created at init.
     */
    @Override
    public PhysicalConnectionInfo createPhysicalConnection() {
        for (int failures = 0; ; ) {
            try {
                PhysicalConnectionInfo created = super.createPhysicalConnection();
                outage.succeeded();
                return created;
            } catch (SQLException e) {
                failures++;
                outage.failed(SqlFailure.reason(e));
                refuseWaiting();
                if (!pause(RECONNECT.after(failures))) {
                    return null;
                }
            }
        }
    }

    /** A server that let us in has answered. */
    @Override
    public Connection createPhysicalConnection(String address, Properties properties) throws SQLException {
        Connection created = super.createPhysicalConnection(address, properties);
        livePing.answered(created);
        return created;
    }

    /** The server just answered on this connection: whoever borrows it next need not ask. */
    void answered(DruidPooledConnection connection) {
        // Asked directly for what it wraps, it would take a transaction for begun and roll it back.
        livePing.answered(connection.getConnectionHolder().getConnection());
    }

    /** A connection broke in use: what is older than that is not used any more. */
    void broke() {
        livePing.died();
    }

    /** Not in JMX, where Druid would show the URL with all its parameters. */
    @Override
    public void registerMbean() {}

    @Override
    public void unregisterMbean() {}

    private void refuseWaiting() {
        setFailContinuous(true);
        lock.lock();
        try {
            notEmpty.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** False when the pool is closing, which interrupts Druid's thread. */
    private boolean pause(Duration delay) {
        try {
            TimeUnit.NANOSECONDS.sleep(delay.toNanos());
            return !isClosed();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
