package io.mykit.delay.spring.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Writes rows of the outbox on the connection of the thread's transaction. Thread-safe. */
public final class Rows {
    private final DataSource database;
    private final String name;
    private final Runnable committed;
    private final JdbcTemplate jdbc;
    /** Whether a connection is in auto-commit unless a transaction turns that off. */
    private final boolean isAutoCommitUsual;

    /**
     * @param name of the bean, for messages
     * @param committed is called after each commit of rows
     */
    public Rows(DataSource database, String name, Runnable committed) throws SQLException {
        this.database = database;
        this.name = name;
        this.committed = committed;
        this.jdbc = new JdbcTemplate(database);
        try (Connection connection = database.getConnection()) {
            this.isAutoCommitUsual = connection.getAutoCommit();
        }
    }

    /** Statements of the outbox. */
    @FunctionalInterface
    interface Write {
        void on(Connection connection) throws SQLException;
    }

    void write(Write write) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            alone(write);
        } else if (!TransactionSynchronizationManager.isSynchronizationActive() || phase().isOver()) {
            // After the commit, by a listener of its event for example: the connection of the transaction commits no
            // more.
            alone(write);
        } else {
            inTransaction(write);
        }
    }

    private void inTransaction(Write write) {
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException("the transaction " + transaction()
                    + " is read-only, and a call of DelayTemplate writes a row of the outbox");
        }
        boolean isBound = isAutoCommitUsual || TransactionSynchronizationManager.hasResource(target());
        var unused = jdbc.execute((Connection connection) -> {
            if (!isBound || connection.getAutoCommit()) {
                throw new IllegalStateException(
                        "the transaction " + transaction() + " is none of the DataSource " + name
                                + ", where the outbox is; the property mykit.delay.client.outbox.data-source names"
                                + " another one");
            }
            write.on(connection);
            return null;
        });
    }

    private DataSource target() {
        return database instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                ? proxy.getTargetDataSource()
                : database;
    }

    private static String transaction() {
        String transaction = TransactionSynchronizationManager.getCurrentTransactionName();
        return transaction == null ? "of this thread" : transaction;
    }

    /** On a connection of its own, because that of the thread may belong to a transaction that has ended. */
    private void alone(Write write) {
        try (Connection connection = database.getConnection()) {
            writeAndCommit(write, connection);
        } catch (SQLException e) {
            DataAccessException translated =
                    jdbc.getExceptionTranslator().translate("write a row of the outbox", null, e);
            throw translated == null ? new UncategorizedSQLException("write a row of the outbox", null, e) : translated;
        }
        committed.run();
    }

    private static void writeAndCommit(Write write, Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try {
            write.on(connection);
            connection.commit();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException | RuntimeException e) {
            try {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            } catch (SQLException broken) {
                e.addSuppressed(broken);
            }
            throw e;
        }
    }

    /** That of the transaction of this thread. */
    private Phase phase() {
        return TransactionSynchronizationManager.getSynchronizations().stream()
                .filter(Phase.class::isInstance)
                .map(Phase.class::cast)
                .filter(phase -> phase.isOf(this))
                .findFirst()
                .orElseGet(() -> {
                    Phase phase = new Phase();
                    TransactionSynchronizationManager.registerSynchronization(phase);
                    return phase;
                });
    }

    /** Knows whether a transaction can still take rows. One thread. */
    private final class Phase implements TransactionSynchronization {
        private boolean isOver;

        boolean isOf(Rows rows) {
            return rows == Rows.this;
        }

        boolean isOver() {
            return isOver;
        }

        @Override
        public void beforeCompletion() {
            isOver = true;
        }

        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_ROLLED_BACK) {
                if (status == STATUS_COMMITTED && !isOver) {
                    commitLate();
                }
                committed.run();
            }
        }

        /** The first row was written by a synchronization of the application after the commit, and no other commit follows. */
        private void commitLate() {
            var unused = jdbc.execute((Connection connection) -> {
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
                return null;
            });
        }
    }
}
