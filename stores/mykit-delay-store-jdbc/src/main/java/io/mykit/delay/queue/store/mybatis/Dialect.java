package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;

/**
 * The differences between the databases. They are here, in Dialect.xml (parts of statements), in the scripts
 * (tables), in {@link JdbcUrl} (parameters of a connection) and in {@link SqlFailure} (error codes). No other code
 * depends on the kind of the database.
 */
enum Dialect {
    /** MySQL 8 and MariaDB 10.6+. A connection for transactions is always in a transaction. */
    MYSQL("mysql", "sql", "sql") {
        @Override
        void begin(Connection connection) {
            // The driver begins the transaction with the first statement.
        }

        @Override
        void commit(Connection connection) throws SQLException {
            connection.commit();
        }

        @Override
        void rollBack(Connection connection) throws SQLException {
            connection.rollback();
        }

        /**
         * The driver refuses a rollback outside a transaction. The server accepts the statement, and its answer shows
         * that the server is there.
         */
        @Override
        void afterFailedRead(Connection connection) throws SQLException {
            execute(connection, "ROLLBACK");
        }
    },

    /**
     * SQLite: only one transaction writes at a time, and a reader sees the data that was committed before it began.
     * The store begins transactions by a statement of its own: the {@code commit} of the driver would begin the next
     * transaction at once, and an idle connection would hold the lock.
     */
    SQLITE("sqlite", "sql-embedded", "sql/embedded") {
        /** Begins as a writer. A transaction that reads first and writes later could be refused in the middle. */
        @Override
        void begin(Connection connection) throws SQLException {
            execute(connection, "BEGIN IMMEDIATE");
        }

        @Override
        void commit(Connection connection) throws SQLException {
            execute(connection, "COMMIT");
        }

        /**
         * After a full disk and some other failures SQLite has rolled back already. Then it refuses this statement,
         * without harm.
         */
        @Override
        void rollBack(Connection connection) throws SQLException {
            try {
                execute(connection, "ROLLBACK");
            } catch (SQLException e) {
                if (e.getErrorCode() != SQLiteErrorCode.SQLITE_ERROR.code) {
                    // The pool removes a closed connection.
                    connection.unwrap(SQLiteConnection.class).close();
                    throw e;
                }
            }
        }

        @Override
        void afterFailedRead(Connection connection) {
            // The statement has ended, and there is no server that could be away.
        }
    };

    private final String databaseId;
    private final String migrations;
    private final String scripts;

    Dialect(String databaseId, String migrations, String scripts) {
        this.databaseId = databaseId;
        this.migrations = migrations;
        this.scripts = scripts;
    }

    static Dialect of(String jdbcUrl) {
        return jdbcUrl.startsWith("jdbc:sqlite:") ? SQLITE : MYSQL;
    }

    /** The {@code databaseId} in Dialect.xml. */
    String databaseId() {
        return databaseId;
    }

    /** The place of the scripts on the class path. */
    String migrations() {
        return migrations;
    }

    /** The directory of the scripts, for messages to people. */
    String scripts() {
        return scripts;
    }

    /**
     * True if other nodes may use the same database. Only one process opens a database file: the lock of the data
     * directory ensures that.
     */
    boolean isShared() {
        return this == MYSQL;
    }

    /** The useful number of connections for transactions: 1 if the database has only one writer. */
    int writers(int connections) {
        return this == SQLITE ? 1 : connections;
    }

    /** True if a connection for transactions is in a transaction from the last commit on, as JDBC does it. */
    boolean isAlwaysInTransaction() {
        return this == MYSQL;
    }

    abstract void begin(Connection connection) throws SQLException;

    abstract void commit(Connection connection) throws SQLException;

    /** @throws SQLException if the connection is broken */
    abstract void rollBack(Connection connection) throws SQLException;

    /** @throws SQLException if the connection is broken */
    abstract void afterFailedRead(Connection connection) throws SQLException;

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
