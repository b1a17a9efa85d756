package io.mykit.delay.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Short transactions of the outbox itself, each on a connection of its own. */
final class Transactions {
    private Transactions() {}

    /** The statements of a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    private static final int TRIES = 5;

    /**
     * Runs the work in a transaction, and once more if the database ended it in favour of another one (a deadlock).
     *
     * <p>Each statement sees what is committed when it begins: a row whose transaction was committed before another row was
     * written is seen with that.
     */
    static <T> T run(DataSource database, Work<T> work) throws SQLException {
        for (int left = TRIES; ; left--) {
            try {
                return runOnce(database, work);
            } catch (SQLException e) {
                boolean isVictim = e.getSQLState() != null && e.getSQLState().startsWith("40");
                if (!isVictim || left == 1) {
                    throw e;
                }
            }
        }
    }

    private static <T> T runOnce(DataSource database, Work<T> work) throws SQLException {
        try (Connection connection = database.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            int isolation = connection.getTransactionIsolation();
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            connection.setAutoCommit(false);
            try {
                T result = work.run(connection);
                connection.commit();
                restore(connection, autoCommit, isolation);
                return result;
            } catch (SQLException | RuntimeException e) {
                try {
                    connection.rollback();
                    restore(connection, autoCommit, isolation);
                } catch (SQLException broken) {
                    e.addSuppressed(broken);
                }
                throw e;
            }
        }
    }

    /** A pool gives the connection to the application next. */
    private static void restore(Connection connection, boolean autoCommit, int isolation) throws SQLException {
        connection.setAutoCommit(autoCommit);
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(isolation);
        }
    }
}
