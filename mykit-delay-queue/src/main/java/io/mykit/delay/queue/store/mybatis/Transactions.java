package io.mykit.delay.queue.store.mybatis;

import com.alibaba.druid.pool.DruidPooledConnection;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.ibatis.exceptions.PersistenceException;

/**
 * Runs what writes in one transaction: all of it or nothing. A lost fight for locks is fought again, for at most the
 * timeout. Thread-safe.
 */
final class Transactions {
    private static final int MAX_PAUSE_MS = 40;
    private static final Step NOTHING = connection -> {};

    private final ConnectionPools pools;
    private final StoreSession.Statements statements;
    private final Dialect dialect;
    private final Duration timeout;

    Transactions(ConnectionPools pools, StoreSession.Statements statements, Dialect dialect, Duration timeout) {
        this.pools = pools;
        this.statements = statements;
        this.dialect = dialect;
        this.timeout = timeout;
    }

    /** Each statement sees what is committed when it begins. Tried once: what only reads fights for no locks. */
    <T> T read(Work<T> query) {
        try {
            return run(query, pools.forStatements(), NOTHING, NOTHING, dialect::afterFailedRead);
        } catch (SQLException | PersistenceException e) {
            throw translate(e);
        }
    }

    /**
     * @param work may run several times; what it leaves outside the session must not depend on how often
     * @throws DuplicateRowException if a row is there already; nothing happened then
     */
    <T> T write(Work<T> work) {
        long start = System.nanoTime();
        for (; ; ) {
            try {
                return run(work, pools.forTransactions(), dialect::begin, dialect::commit, dialect::rollBack);
            } catch (SQLException | PersistenceException e) {
                boolean again = SqlFailure.of(e) == SqlFailure.CONTENTION
                        && System.nanoTime() - start < timeout.toNanos()
                        && pause();
                if (!again) {
                    throw translate(e);
                }
            }
        }
    }

    private <T> T run(Work<T> work, ConnectionPool pool, Step begin, Step commit, Step rollback) throws SQLException {
        try (DruidPooledConnection connection = pool.getConnection()) {
            try (StoreSession session = new StoreSession(statements, connection)) {
                begin.on(connection);
                T result = work.run(session);
                commit.on(connection);
                pool.answered(connection);
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                // Also after an error: a connection must not come back to the pool in a transaction.
                rollBack(connection, rollback, pool, e);
                throw e;
            }
        }
    }

    /**
     * A connection that cannot even roll back is broken: the server rolls back for it, and the pool throws it away. Then
     * the break is what happened, whatever the driver said of the statement that ran into it.
     */
    private static void rollBack(Connection connection, Step rollback, ConnectionPool pool, Throwable failure)
            throws SQLException {
        try {
            rollback.on(connection);
        } catch (SQLException e) {
            pool.broke();
            e.addSuppressed(failure);
            throw new SQLNonTransientConnectionException("the connection broke", "08006", e);
        }
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(1, MAX_PAUSE_MS));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static RuntimeException translate(Exception e) {
        if (e.getCause() instanceof InterruptedException) {
            // Druid swallowed it while waiting for a connection.
            Thread.currentThread().interrupt();
        }
        return switch (SqlFailure.of(e)) {
            case DUPLICATE -> new DuplicateRowException(e);
            case CONTENTION -> new StoreUnavailableException("the message table is locked by others", e);
            case UNAVAILABLE -> new StoreUnavailableException("the message table cannot be reached", e);
            case DEFECT -> new DelayException(ErrorCode.INTERNAL, "the message table refused a statement", e);
        };
    }

    /** How a transaction begins or ends. */
    @FunctionalInterface
    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    /** What is done on a connection. */
    @FunctionalInterface
    interface Work<T> {
        T run(StoreSession session) throws SQLException;
    }

    /** A primary key was there already; the transaction was rolled back. */
    static final class DuplicateRowException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DuplicateRowException(Throwable cause) {
            super(cause);
        }
    }
}
