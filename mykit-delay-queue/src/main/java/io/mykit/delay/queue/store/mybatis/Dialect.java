package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;

/**
 * What differs between the databases stands here, in Dialect.xml (the parts of statements), in the scripts (the tables), in
 * {@link JdbcUrl} (the parameters of a connection) and in {@link SqlFailure} (the error codes). Nothing else asks which
 * database it is.
 */
enum Dialect {
    /** MySQL 8 and MariaDB 10.6+. Connections for transactions are always in one. */
    MYSQL("mysql", "sql", "sql") {
        @Override
        void begin(Connection connection) {
            // The driver does, with the first statement.
        }

        @Override
        void commit(Connection connection) throws SQLException {
            connection.commit();
        }

        @Override
        void rollBack(Connection connection) throws SQLException {
            connection.rollback();
        }

        /** The driver refuses to roll back outside a transaction; the server does not mind, and shows that it is there. */
        @Override
        void afterFailedRead(Connection connection) throws SQLException {
            execute(connection, "ROLLBACK");
        }
    },

    /**
     * SQLite: one transaction writes at a time, and readers see what was committed before they began. Transactions are begun by
     * hand: a driver's {@code commit} would begin the next one at once, and an idle connection would hold the lock.
     */
    SQLITE("sqlite", "sql-embedded", "sql/embedded") {
        /** As a writer from the beginning: one that reads first and then writes could be refused in the middle. */
        @Override
        void begin(Connection connection) throws SQLException {
            execute(connection, "BEGIN IMMEDIATE");
        }

        @Override
        void commit(Connection connection) throws SQLException {
            execute(connection, "COMMIT");
        }

        /** A full disk and some other failures have rolled back already: then the statement is refused, and no harm is done. */
        @Override
        void rollBack(Connection connection) throws SQLException {
            try {
                execute(connection, "ROLLBACK");
            } catch (SQLException e) {
                if (e.getErrorCode() != SQLiteErrorCode.SQLITE_ERROR.code) {
                    // The pool throws away what is closed.
                    connection.unwrap(SQLiteConnection.class).close();
                    throw e;
                }
            }
        }

        @Override
        void afterFailedRead(Connection connection) {
            // The statement is over, and no server is there that could be gone.
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

    /** As in {@code databaseId} of Dialect.xml. */
    String databaseId() {
        return databaseId;
    }

    /** Where its scripts are on the class path. */
    String migrations() {
        return migrations;
    }

    /** The directory of its scripts, for people. */
    String scripts() {
        return scripts;
    }

    /** Whether other nodes may use the same database. A file is open in one process only, which the data directory's lock sees to. */
    boolean isShared() {
        return this == MYSQL;
    }

    /** How many connections for transactions are of use: one where only one can write. */
    int writers(int connections) {
        return this == SQLITE ? 1 : connections;
    }

    /** Whether connections for transactions are in one from the last commit on, as JDBC has it. */
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
