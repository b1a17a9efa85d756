package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.apache.ibatis.session.Configuration;

/** Inserts into {@code mykit_delay_queue_job_log}, like {@link JobStatements}. Thread-safe. */
final class FlowStatements {
    private final RowInsert<NewFlow> all;
    private final RowInsert<NewFlow> plain;

    FlowStatements(Configuration configuration) {
        this.all = insert(configuration, "insert", NewFlow::bind);
        this.plain = insert(configuration, "insertPlain", NewFlow::bindPlain);
    }

    private static RowInsert<NewFlow> insert(
            Configuration configuration, String name, RowInsert.Binder<NewFlow> binder) {
        SizedSql sql = new SizedSql(configuration, FlowMapper.class, name, "rows", Shapes.MAX_ROWS);
        return new RowInsert<>(sql, binder, row -> NewFlow.MAX_BYTES);
    }

    /** In their order, which is that of {@code log_id}. */
    void insert(Connection connection, List<NewFlow> rows) throws SQLException {
        boolean areAllPlain = rows.stream().allMatch(NewFlow::isPlain);
        (areAllPlain ? plain : all).run(connection, rows);
    }
}
