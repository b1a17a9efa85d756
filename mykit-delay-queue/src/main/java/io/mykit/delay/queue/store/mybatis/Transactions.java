package io.mykit.delay.queue.store.mybatis;

import com.alibaba.druid.pool.DruidPooledConnection;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
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

    private final ConnectionPools pools;
    private final StoreSession.Statements statements;
    private final Duration timeout;
    private final RefusedWrites refused;

    Transactions(ConnectionPools pools, StoreSession.Statements statements, Duration timeout, RefusedWrites refused) {
        this.pools = pools;
        this.refused = refused;
        this.statements = statements;
        this.timeout = timeout;
    }

    /**
     * Each statement sees what is committed when it begins. What only reads fights for no locks; if its connection turns out to
     * have died since it was used last, another one is asked.
     */
    <T> T read(Work<T> query) {
        long start = System.nanoTime();
        try {
            try {
                return readOnce(query);
            } catch (BrokenConnectionException e) {
                if (System.nanoTime() - start > timeout.toNanos() / 2) {
                    throw e;
                }
                return readOnce(query);
            }
        } catch (SQLException | PersistenceException e) {
            throw translate(e);
        }
    }

    private <T> T readOnce(Work<T> query) throws SQLException {
        return run(query, pools.forStatements(), connection -> {}, Transactions::rollBackByStatement);
    }

    /**
     * @param work may run several times; what it leaves outside the session must not depend on how often
     * @throws DuplicateRowException if a row is there already; nothing happened then
     */
    <T> T write(Work<T> work) {
        long start = System.nanoTime();
        for (; ; ) {
            try {
                T result = run(work, pools.forTransactions(), Connection::commit, Connection::rollback);
                refused.accepted();
                return result;
            } catch (SQLException | PersistenceException e) {
                boolean again = SqlFailure.of(e) == SqlFailure.CONTENTION
                        && System.nanoTime() - start < timeout.toNanos()
                        && pause();
                if (!again) {
                    refused.failed(e);
                    throw translate(e);
                }
            }
        }
    }

    private <T> T run(Work<T> work, ConnectionPool pool, Ending commit, Ending rollback) throws SQLException {
        try (DruidPooledConnection connection = pool.getConnection()) {
            try (StoreSession session = new StoreSession(statements, connection)) {
                T result = work.run(session);
                commit.of(connection);
                pool.answered(connection);
                return result;
            } catch (SQLException | RuntimeException e) {
                rollBack(connection, rollback, pool, e);
                throw e;
            }
        }
    }

    /**
     * A connection that cannot even roll back is broken: the server rolls back for it, and the pool throws it away. Then
     * the break is what happened, whatever the driver said of the statement that ran into it.
     */
    private static void rollBack(Connection connection, Ending rollback, ConnectionPool pool, Exception failure)
            throws SQLException {
        try {
            rollback.of(connection);
        } catch (SQLException e) {
            if (SqlFailure.of(failure) == SqlFailure.NO_WRITES) {
                // The server is there; Druid has given up the connection because it may be one to a replica.
                return;
            }
            pool.broke();
            e.addSuppressed(failure);
            throw new BrokenConnectionException(e);
        }
    }

    /** Where there is no transaction the driver refuses to roll back; the server does not mind, and shows that it is there. */
    private static void rollBackByStatement(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ROLLBACK");
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
            case NO_WRITES ->
                new StoreUnavailableException("the message table takes no writes: " + SqlFailure.reason(e), e);
            case DEFECT -> new DelayException(ErrorCode.INTERNAL, "the message table refused a statement", e);
        };
    }

    /** It broke while it was used. */
    private static final class BrokenConnectionException extends SQLNonTransientConnectionException {
        private static final long serialVersionUID = 1L;

        BrokenConnectionException(SQLException cause) {
            super("the connection broke", "08006", cause);
        }
    }

    /** How a transaction ends. */
    @FunctionalInterface
    private interface Ending {
        void of(Connection connection) throws SQLException;
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
