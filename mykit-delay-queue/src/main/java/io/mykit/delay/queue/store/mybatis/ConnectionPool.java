package io.mykit.delay.queue.store.mybatis;

import com.alibaba.druid.pool.DruidDataSource;
import com.alibaba.druid.pool.DruidPooledConnection;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.config.DatasourceConfig;
import io.mykit.delay.config.Secret;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Druid's pool, made to fail within the timeout and to come back by itself.
 *
 * <p>Waiting for a connection is bounded by the timeout: half of it for pings, half for waiting. While the server
 * refuses connections, callers are refused at once; one line is logged when it goes away and one when it is back.
 */
final class ConnectionPool extends DruidDataSource {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);
    private static final Duration MAX_PING = Duration.ofSeconds(1);
    private static final Backoff RECONNECT = new Backoff(Duration.ofMillis(50), Duration.ofMillis(500));

    private final transient JdbcUrl url;
    private final transient LivePing livePing;

    /** Opens nothing yet. */
    ConnectionPool(JdbcUrl url, DatasourceConfig config) {
        this.url = url;
        Duration quarter = config.timeout().dividedBy(4);
        setUrl(url.value());
        config.username().ifPresent(this::setUsername);
        config.password().map(Secret::reveal).ifPresent(this::setPassword);
        setMaxActive(config.maxActive());
        setMinIdle(Math.min(2, config.maxActive()));
        setInitialSize(0);
        setMaxWait(config.timeout().dividedBy(2).toMillis());
        setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        // Switching to a transaction and back would be two round trips.
        setDefaultAutoCommit(false);
        this.livePing = new LivePing(quarter.compareTo(MAX_PING) < 0 ? quarter : MAX_PING, getMaxActive());
        setValidConnectionChecker(livePing);
        setTestOnBorrow(true);
        setKeepAlive(true);
        setFailFast(true);
        setUseUnfairLock(true);
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
                if (failures > 0) {
                    LOG.info("{} is back after {} attempts to connect", url, failures);
                }
                return created;
            } catch (SQLException e) {
                failures++;
                if (failures == 1) {
                    LOG.warn("cannot connect to {}, trying until it is back: {}", url, SqlFailure.reason(e));
                }
                refuseWaiting();
                if (!pause(RECONNECT.after(failures))) {
                    return null;
                }
            }
        }
    }

    /** The server just answered on this connection: whoever borrows it next need not ask. */
    void answered(DruidPooledConnection connection) {
        // Asked directly for what it wraps, it would take a transaction for begun and roll it back.
        livePing.answered(connection.getConnectionHolder().getConnection());
    }

    /** A connection broke in use: the others are asked before they are used. */
    void broke() {
        livePing.forgetAnswers();
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
