package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.config.DatasourceConfig;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/**
 * The connections to one database: half of them for transactions (one, where only one can write), on the others each statement is a
 * transaction of its own.
 * Switching a connection between the two would be a round trip each time, and so is the COMMIT of a single SELECT, for which
 * every delivery would wait. Thread-safe.
 */
final class ConnectionPools implements AutoCloseable {
    private static final Duration MAX_PING = Duration.ofSeconds(1);

    private final OutageLog outage;
    private final ConnectionPool forStatements;
    private final ConnectionPool forTransactions;

    /** Opens nothing yet. */
    ConnectionPools(JdbcUrl url, DatasourceConfig config) {
        this.outage = new OutageLog(
                LoggerFactory.getLogger(ConnectionPools.class),
                "The database " + url + " cannot be used",
                "The database " + url + " can be used again");
        int half = Math.max(1, config.maxActive() / 2);
        Duration quarter = config.timeout().dividedBy(4);
        // One for both: what one pool learns of a server that went away spares the other its patience.
        LivePing ping = new LivePing(quarter.compareTo(MAX_PING) < 0 ? quarter : MAX_PING);
        this.forStatements = new ConnectionPool(url, config, ping, outage, half, false);
        int writers = url.dialect().writers(Math.max(1, config.maxActive() - half));
        this.forTransactions = new ConnectionPool(url, config, ping, outage, writers, true);
    }

    /** Of all that use the database; what fails for it need not be logged elsewhere. */
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

    @Override
    public void close() {
        forStatements.close();
        forTransactions.close();
    }
}
