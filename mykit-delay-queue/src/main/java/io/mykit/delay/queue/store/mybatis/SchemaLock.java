package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Lets one node at a time look at the tables and change them: Flyway's own lock begins too late, after it has judged
 * whether the database is empty. Held by a connection; when the node dies, the server lets go of it.
 */
final class SchemaLock implements AutoCloseable {
    private static final int WAIT_SECONDS = 60;
    private static final String TAKE =
            "SELECT GET_LOCK(CONCAT('mykit-delay-', SHA1(COALESCE(DATABASE(), ''))), " + WAIT_SECONDS + ")";

    private final Connection connection;

    /**
     * Waits until the other nodes are done.
     *
     * @param connection closed with the lock
     */
    SchemaLock(Connection connection) throws SQLException {
        this.connection = connection;
        if (!Dialect.of(connection.getMetaData().getURL()).isShared()) {
            return;
        }
        try (Statement statement = connection.createStatement();
                ResultSet taken = statement.executeQuery(TAKE)) {
            if (!taken.next() || taken.getInt(1) != 1) {
                throw new SQLException("another node has been creating tables for " + WAIT_SECONDS + " s");
            }
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
