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
 * A connection pool of Druid that fails within the timeout and recovers by itself. {@link ConnectionPools} has one
 * pool for each use. Thread-safe.
 *
 * <p>The timeout bounds the time for getting a connection: one half is for pings, one half for waiting. While the
 * server refuses connections, the pool refuses its callers at once.
 */
final class ConnectionPool extends DruidDataSource {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final Backoff RECONNECT = new Backoff(Duration.ofMillis(50), Duration.ofMillis(500));

    private final transient LivePing livePing;
    private final transient OutageLog outage;

    /**
     * Opens no connection yet.
     *
     * @param outage gets the result of each attempt to connect
     * @param connections the largest number of connections
     * @param transactional true = a connection is in a transaction from one commit to the next; false = each
     *     statement is a transaction of its own
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
        // If all callers wait for one connection, each caller gets its turn.
        setUseUnfairLock(connections > 1);
    }

    /**
     * Opens a connection. Druid would log a stack trace for each attempt and sleep in between without backoff. Here
     * the attempts go on, with backoff, until one succeeds or the pool is closed; then the result is null. Only the
     * creating thread of Druid calls it, because the pool creates no connection at init.
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

    /** A server that accepted a login has answered. */
    @Override
    public Connection createPhysicalConnection(String address, Properties properties) throws SQLException {
        Connection created = super.createPhysicalConnection(address, properties);
        livePing.answered(created);
        return created;
    }

    /** Notes that the server answered on this connection just now, so that the next borrower need not ping. */
    void answered(DruidPooledConnection connection) {
        // A call of unwrap on the pooled connection would make Druid believe that a transaction began, and Druid
        // would roll it back.
        livePing.answered(connection.getConnectionHolder().getConnection());
    }

    /** Notes that a connection broke in use. Connections that have not answered since are not used any more. */
    void broke() {
        livePing.died();
    }

    /** Does nothing: in JMX Druid would show the URL with all its parameters. */
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

    /** Returns false when the pool is closing. Closing interrupts the thread of Druid. */
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
