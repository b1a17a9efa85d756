package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.config.DatasourceConfig;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/**
 * The connections to one database, in two pools: one half for transactions (one connection, if the database has only
 * one writer), and the other half for statements that are a transaction each. One pool for both would switch a
 * connection between the two modes by a round trip each time. The COMMIT of a single SELECT is such a round trip too,
 * and each delivery would wait for it. Thread-safe.
 */
final class ConnectionPools implements AutoCloseable {
    private static final Duration MAX_PING = Duration.ofSeconds(1);

    private final OutageLog outage;
    private final ConnectionPool forStatements;
    private final ConnectionPool forTransactions;

    /** Opens no connection yet. */
    ConnectionPools(JdbcUrl url, DatasourceConfig config) {
        this.outage = new OutageLog(
                LoggerFactory.getLogger(ConnectionPools.class),
                "The database " + url + " cannot be used",
                "The database " + url + " can be used again");
        int half = Math.max(1, config.maxActive() / 2);
        Duration quarter = config.timeout().dividedBy(4);
        // Both pools share the ping: if one pool finds that a server went away, the other pool need not wait for the
        // same timeout.
        LivePing ping = new LivePing(quarter.compareTo(MAX_PING) < 0 ? quarter : MAX_PING);
        this.forStatements = new ConnectionPool(url, config, ping, outage, half, false);
        int writers = url.dialect().writers(Math.max(1, config.maxActive() - half));
        this.forTransactions = new ConnectionPool(url, config, ping, outage, writers, true);
    }

    /** The outage log of all users of the database. A failure of the database need not be logged elsewhere. */
    OutageLog outage() {
        return outage;
    }

    ConnectionPool forStatements() {
        return forStatements;
    }

    ConnectionPool forTransactions() {
        return forTransactions;
    }

    int active() {
        return forStatements.getActiveCount() + forTransactions.getActiveCount();
    }

    int idle() {
        return forStatements.getPoolingCount() + forTransactions.getPoolingCount();
    }

    /** The threads that wait for a connection. */
    int waiting() {
        return forStatements.getWaitThreadCount() + forTransactions.getWaitThreadCount();
    }

    int limit() {
        return forStatements.getMaxActive() + forTransactions.getMaxActive();
    }

    @Override
    public void close() {
        forStatements.close();
        forTransactions.close();
    }
}
