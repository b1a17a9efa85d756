package io.mykit.delay.queue.store.mybatis;

import com.alibaba.druid.pool.DruidPooledConnection;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.store.StoreInDoubtException;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.ibatis.exceptions.PersistenceException;

/**
 * Runs reads, and runs writes in one transaction each: all changes of a write are made or none. A transaction that
 * lost a lock is tried again, for at most the timeout. Thread-safe.
 *
 * <p>A COMMIT whose answer is lost may have been executed. It may also wait in the socket of a frozen server and be
 * executed later. So the work is done once more on another connection, for at most the timeout. The rows that the
 * first transaction wrote are locked until that transaction ends in one way or the other, so the second transaction
 * sees the result of the first.
 */
final class Transactions {
    private static final int MAX_PAUSE_MS = 40;
    private static final Step NOTHING = connection -> {};

    private final ConnectionPools pools;
    private final StoreSession.Statements statements;
    private final Dialect dialect;
    private final Duration timeout;
    private final RefusedWrites refused;

    Transactions(
            ConnectionPools pools,
            StoreSession.Statements statements,
            Dialect dialect,
            Duration timeout,
            RefusedWrites refused) {
        this.pools = pools;
        this.refused = refused;
        this.statements = statements;
        this.dialect = dialect;
        this.timeout = timeout;
    }

    /**
     * Runs a query. Each statement sees the data that is committed when it begins. A query competes for no locks. If its
     * connection turns out to have died since the last use, the query is repeated on another connection.
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
        return run(query, pools.forStatements(), NOTHING, NOTHING, dialect::afterFailedRead);
    }

    /** Runs work that may be done twice: a second run does no harm and has the same result. */
    <T> T write(Work<T> work) {
        return write(work, work);
    }

    /**
     * Runs work in one transaction.
     *
     * @param work may run several times; its effects outside the session must not depend on the number of runs
     * @param again replaces the work once it is unknown whether the work was committed; it looks at the rows first,
     *     with locks
     * @throws DuplicateRowException if a row exists already; then nothing was changed
     * @throws StoreInDoubtException if the work may have been committed, and the store cannot find it out
     */
    <T> T write(Work<T> work, Work<T> again) {
        long startNanos = System.nanoTime();
        boolean inDoubt = false;
        for (; ; ) {
            try {
                T result = run(
                        inDoubt ? again : work,
                        pools.forTransactions(),
                        dialect::begin,
                        dialect::commit,
                        dialect::rollBack);
                // A read does not show this: a read-only server answers reads as well.
                pools.outage().succeeded();
                refused.accepted();
                return result;
            } catch (SQLException | PersistenceException e) {
                if (e instanceof CommitLostException && !inDoubt) {
                    inDoubt = true;
                    startNanos = System.nanoTime();
                }
                if (!isWorthAnotherTry(e, inDoubt) || System.nanoTime() - startNanos >= timeout.toNanos() || !pause()) {
                    refused.failed(e);
                    throw inDoubt ? inDoubt(e) : translate(e);
                }
            }
        }
    }

    private static boolean isWorthAnotherTry(Exception e, boolean inDoubt) {
        SqlFailure failure = SqlFailure.of(e);
        return failure == SqlFailure.CONTENTION || (inDoubt && failure == SqlFailure.UNAVAILABLE);
    }

    private RuntimeException inDoubt(Exception e) {
        RuntimeException failure = translate(e);
        if (failure instanceof DuplicateRowException duplicate) {
            return new DuplicateRowException(duplicate.getCause(), true);
        }
        return new StoreInDoubtException(e);
    }

    private <T> T run(Work<T> work, ConnectionPool pool, Step begin, Step commit, Step rollback) throws SQLException {
        try (DruidPooledConnection connection = pool.getConnection()) {
            try (StoreSession session = new StoreSession(statements, connection)) {
                begin.on(connection);
                T result = work.run(session);
                commit(connection, commit, statements.meters());
                pool.answered(connection);
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                // An Error is handled too: a connection must not go back to the pool inside a transaction.
                rollBack(connection, rollback, pool, e);
                throw e;
            }
        }
    }

    private static void commit(Connection connection, Step commit, StoreMeters meters) throws SQLException {
        if (commit == NOTHING) {
            return;
        }
        try {
            long begunNanos = System.nanoTime();
            commit.on(connection);
            meters.took(StoreMeters.Kind.COMMIT, begunNanos);
        } catch (SQLException e) {
            throw SqlFailure.of(e) == SqlFailure.UNAVAILABLE ? new CommitLostException(e) : e;
        }
    }

    /**
     * Rolls back. A connection that cannot roll back is broken: the server rolls back by itself, and the pool removes
     * the connection. In this case the break is reported as the cause, even if the driver reported another failure of
     * the statement before.
     */
    private static void rollBack(Connection connection, Step rollback, ConnectionPool pool, Throwable failure)
            throws SQLException {
        try {
            rollback.on(connection);
        } catch (SQLException e) {
            if (SqlFailure.of(failure) == SqlFailure.NO_WRITES) {
                // The server is there. Druid has closed the connection because it may lead to a replica.
                return;
            }
            pool.broke();
            if (failure instanceof CommitLostException lost) {
                throw lost;
            }
            e.addSuppressed(failure);
            throw new BrokenConnectionException(e);
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

    private RuntimeException translate(Exception e) {
        if (e.getCause() instanceof InterruptedException) {
            // Druid cleared the interrupt while it waited for a connection.
            Thread.currentThread().interrupt();
        }
        return switch (SqlFailure.of(e)) {
            case DUPLICATE -> new DuplicateRowException(e, false);
            case CONTENTION -> unavailable("the message table is locked by others", e);
            case UNAVAILABLE -> unavailable("the database cannot be reached", e);
            case NO_WRITES -> unavailable("the database takes no writes: " + SqlFailure.reason(e), e);
            case DEFECT -> new DelayException(ErrorCode.INTERNAL, "the database refused a statement", e);
        };
    }

    /** Logs an outage. No other class logs it, because all users of the store see the same outage. */
    private StoreUnavailableException unavailable(String what, Exception e) {
        pools.outage().failed(what + ": " + SqlFailure.reason(e));
        return new StoreUnavailableException(what, e);
    }

    /** The connection broke while it was used. */
    private static final class BrokenConnectionException extends SQLNonTransientConnectionException {
        private static final long serialVersionUID = 1L;

        BrokenConnectionException(SQLException cause) {
            super("the connection broke", "08006", cause);
        }
    }

    /** How a transaction begins or ends. */
    @FunctionalInterface
    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    /** The work on a session. */
    @FunctionalInterface
    interface Work<T> {
        T run(StoreSession session) throws SQLException;
    }

    /** The COMMIT was sent and not answered. 08007: transaction resolution unknown. */
    private static final class CommitLostException extends SQLNonTransientConnectionException {
        private static final long serialVersionUID = 1L;

        CommitLostException(SQLException cause) {
            super("the answer to COMMIT was lost", "08007", cause);
        }
    }
}
