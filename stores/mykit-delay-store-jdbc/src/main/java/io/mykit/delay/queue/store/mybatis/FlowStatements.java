package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.apache.ibatis.session.Configuration;

/**
 * The statements on {@code mykit_delay_queue_job_log} that run without the binding of MyBatis, like {@link
 * JobStatements}. Thread-safe.
 */
final class FlowStatements {
    private final RowInsert<NewFlow> all;
    private final RowInsert<NewFlow> plain;
    private final SizedSql remove;

    FlowStatements(Configuration configuration) {
        this.all = insert(configuration, "insert", NewFlow::bind);
        this.plain = insert(configuration, "insertPlain", NewFlow::bindPlain);
        this.remove = SizedSql.ofIds(configuration, FlowMapper.class, "remove");
    }

    private static RowInsert<NewFlow> insert(
            Configuration configuration, String name, RowInsert.Binder<NewFlow> binder) {
        SizedSql sql = SizedSql.ofRows(configuration, FlowMapper.class, name);
        return new RowInsert<>(sql, binder, row -> NewFlow.MAX_BYTES);
    }

    /** Inserts the rows in their order, which becomes the order of {@code log_id}. */
    void insert(Connection connection, List<NewFlow> rows) throws SQLException {
        boolean areAllPlain = rows.stream().allMatch(NewFlow::isPlain);
        (areAllPlain ? plain : all).run(connection, rows);
    }

    /** @param ids distinct ids, at most {@value SizedSql#MAX_IDS} */
    void remove(Connection connection, List<String> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(remove.of(ids))) {
            SizedSql.bind(statement, 1, ids);
            statement.executeUpdate();
        }
    }
}
