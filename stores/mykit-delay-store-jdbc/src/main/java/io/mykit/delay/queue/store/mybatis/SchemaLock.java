package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Admits one node at a time that reads and changes the tables. The own lock of Flyway begins too late: Flyway takes
 * it after it has judged whether the database is empty. A connection holds the lock. When the node dies, the server
 * frees the lock.
 */
final class SchemaLock implements AutoCloseable {
    private static final int WAIT_SECONDS = 60;
    private static final String TAKE =
            "SELECT GET_LOCK(CONCAT('mykit-delay-', SHA1(COALESCE(DATABASE(), ''))), " + WAIT_SECONDS + ")";

    private final Connection connection;

    /**
     * Waits until the other nodes have freed the lock.
     *
     * @param connection is closed with the lock
     */
    SchemaLock(Connection connection) throws SQLException {
        this.connection = connection;
        if (!Dialect.of(connection.getMetaData().getURL()).isShared()) {
            return;
        }
        try (Statement statement = connection.createStatement();
                ResultSet taken = statement.executeQuery(TAKE)) {
            if (!taken.next() || taken.getInt(1) != 1) {
                throw new SQLException("another node has locked the tables for " + WAIT_SECONDS
                        + " s to create them; start this node again later");
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
