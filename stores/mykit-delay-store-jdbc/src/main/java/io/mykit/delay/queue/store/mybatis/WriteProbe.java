package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Asks a server whether it takes writes, and changes nothing. One thread.
 *
 * <p>A read-only server refuses an UPDATE before it looks for rows. A full server refuses only writes that need disk
 * space. So after the server has refused a message, the probe inserts a row that is large enough to need disk space
 * of its own, and rolls it back.
 */
final class WriteProbe {
    private static final String NO_ROW = "UPDATE mykit_delay_queue_epoch SET epoch = epoch WHERE name = ''";
    private static final String LARGE_ROW = """
            INSERT INTO mykit_delay_queue_job
              (id, bizkey, topic, subtopic, delay, create_time, due_time, body, status, ttl, priority, update_time)
            VALUES (?, '', '', '', 0, 0, 0, ?, 4, 0, 0, '2000-01-01 00:00:00.000')""";
    /** No message has this id: ids with blanks at the end are refused. */
    private static final String ID = "write probe ";

    private static final int LARGE = 1 << 20;

    private final Dialect dialect;
    private final RefusedWrites refused;

    WriteProbe(Dialect dialect, RefusedWrites refused) {
        this.dialect = dialect;
        this.refused = refused;
    }

    /**
     * False if the probe would only cost time: if the database has one writer, the probe would wait for its turn, so
     * it runs only after a refusal.
     */
    boolean isDue() {
        return dialect.isShared() || refused.reason() != null;
    }

    /** @param connection from the pool for transactions */
    void run(Connection connection) throws SQLException {
        boolean wasRefused = refused.reason() != null;
        dialect.begin(connection);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(NO_ROW);
            if (wasRefused) {
                insertLarge(connection);
            }
        } catch (SQLException e) {
            refused.failed(e);
            undo(connection, e);
            throw e;
        }
        dialect.rollBack(connection);
        if (wasRefused) {
            refused.accepted();
        }
    }

    /**
     * Rolls back. After a refused write Druid may have closed the connection; then there is nothing to undo.
     */
    private void undo(Connection connection, SQLException failure) {
        try {
            dialect.rollBack(connection);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private static void insertLarge(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(LARGE_ROW)) {
            insert.setString(1, ID);
            insert.setString(2, " ".repeat(LARGE));
            insert.executeUpdate();
        }
    }
}
