package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.ibatis.session.Configuration;

/** The statements that remove messages, on both tables, like {@link JobStatements}. Thread-safe. */
final class RemovalStatements {
    private final SizedSql lock;
    private final SizedSql flow;
    private final SizedSql rows;

    RemovalStatements(Configuration configuration) {
        this.lock = new SizedSql(configuration, JobMapper.class, "lockEnded", "ids", Shapes.MAX_IDS);
        this.flow = new SizedSql(configuration, FlowMapper.class, "remove", "ids", Shapes.MAX_IDS);
        this.rows = new SizedSql(configuration, JobMapper.class, "remove", "ids", Shapes.MAX_IDS);
    }

    /**
     * Locks those that are still in the status and were last changed before.
     *
     * @param ids distinct, at most {@value Shapes#MAX_IDS}
     * @param changedBefore see {@link UtcTime#text}
     */
    List<String> lock(Connection connection, List<String> ids, MessageStatus status, String changedBefore)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(JobStatements.sql(lock, ids))) {
            int next = JobStatements.bindIds(statement, 1, ids);
            statement.setInt(next, status.code());
            statement.setString(next + 1, changedBefore);
            List<String> locked = new ArrayList<>(ids.size());
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    locked.add(found.getString(1));
                }
            }
            return locked;
        }
    }

    /** @param ids distinct, at most {@value Shapes#MAX_IDS} */
    void remove(Connection connection, List<String> ids) throws SQLException {
        if (!ids.isEmpty()) {
            run(connection, flow, ids);
            run(connection, rows, ids);
        }
    }

    private static void run(Connection connection, SizedSql sql, List<String> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(JobStatements.sql(sql, ids))) {
            JobStatements.bindIds(statement, 1, ids);
            statement.executeUpdate();
        }
    }
}
