package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Asks a server whether it takes writes, and changes nothing. One thread.
 *
 * <p>A server that is read-only refuses an update before it looks for rows. One that is full refuses only what needs room: so
 * after it refused a message it is asked to take one, large enough to need a place of its own, and that is rolled back.
 */
final class WriteProbe {
    private static final String NO_ROW = "UPDATE mykit_delay_queue_epoch SET epoch = epoch WHERE name = ''";
    private static final String LARGE_ROW = """
            INSERT INTO mykit_delay_queue_job
              (id, bizkey, topic, subtopic, delay, create_time, due_time, body, status, ttl, priority, update_time)
            VALUES (?, '', '', '', 0, 0, 0, ?, 4, 0, 0, '2000-01-01 00:00:00.000')""";
    /** No message has it: blanks at the end are refused. */
    private static final String ID = "write probe ";

    private static final int LARGE = 1 << 20;

    private final Dialect dialect;
    private final RefusedWrites refused;

    WriteProbe(Dialect dialect, RefusedWrites refused) {
        this.dialect = dialect;
        this.refused = refused;
    }

    /** Where only one connection writes, the question would wait for its turn: it is asked after a refusal only. */
    boolean isDue() {
        return dialect.isShared() || refused.reason() != null;
    }

    /** @param connection of those for transactions */
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

    /** After such a refusal Druid gives the connection up, and then there is nothing to undo. */
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
