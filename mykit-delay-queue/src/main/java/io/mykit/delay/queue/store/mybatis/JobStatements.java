package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.ibatis.session.Configuration;

/**
 * The statements on {@code mykit_delay_queue_job} that every message passes through. Their SQL stands in JobMapper.xml;
 * parameters and results are bound by hand, see {@link RowInsert}. Thread-safe.
 */
final class JobStatements {
    private final RowInsert<NewJob> insert;
    private final SizedSql states;
    private final SizedSql move;
    private final SizedSql parts;
    private final PageSql page;
    private final PageSql pageStates;

    JobStatements(Configuration configuration) {
        SizedSql rows = new SizedSql(configuration, JobMapper.class, "insert", "rows", Shapes.MAX_ROWS);
        this.insert = new RowInsert<>(rows, NewJob::bind, NewJob::maxBytes);
        this.states = new SizedSql(configuration, JobMapper.class, "states", "ids", Shapes.MAX_IDS);
        this.move = new SizedSql(configuration, JobMapper.class, "move", "ids", Shapes.MAX_IDS);
        this.parts = new SizedSql(configuration, JobMapper.class, "parts", "ids", Shapes.MAX_IDS);
        this.page = new PageSql(configuration, "page");
        this.pageStates = new PageSql(configuration, "pageStates");
    }

    void insert(Connection connection, List<NewJob> rows) throws SQLException {
        insert.run(connection, rows);
    }

    /** @param ids distinct */
    List<RowState> states(Connection connection, List<String> ids) throws SQLException {
        List<RowState> found = new ArrayList<>(ids.size());
        for (List<String> chunk : Chunks.of(ids)) {
            try (PreparedStatement statement = connection.prepareStatement(sql(states, chunk))) {
                bindIds(statement, 1, chunk);
                read(statement, found);
            }
        }
        return found;
    }

    /**
     * A restore reads a million of these: MyBatis takes six times as long for a row.
     *
     * @param longest longer bodies are left in the database
     */
    List<PartRow> page(Connection connection, PageQuery query, long longest) throws SQLException {
        try (PreparedStatement statement = page.prepare(connection, query, longest)) {
            return readParts(statement, query.limit());
        }
    }

    /**
     * @param ids distinct, at most {@value Shapes#MAX_IDS}
     * @param longest longer bodies are left in the database
     */
    List<PartRow> parts(Connection connection, List<String> ids, long longest) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql(parts, ids))) {
            statement.setLong(1, longest);
            bindIds(statement, 2, ids);
            return readParts(statement, ids.size());
        }
    }

    private static List<PartRow> readParts(PreparedStatement statement, int most) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            List<PartRow> found = new ArrayList<>(most);
            while (rows.next()) {
                found.add(PartRow.read(rows));
            }
            return found;
        }
    }

    List<RowState> pageStates(Connection connection, PageQuery query) throws SQLException {
        try (PreparedStatement statement = pageStates.prepare(connection, query, 0)) {
            List<RowState> found = new ArrayList<>(query.limit());
            read(statement, found);
            return found;
        }
    }

    private static void read(PreparedStatement statement, List<RowState> into) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                MessageStatus status = MessageStatus.ofCode(rows.getInt(3));
                long updateTimeMs = UtcTime.toMillis(UtcTime.read(rows, 7));
                into.add(new RowState(
                        rows.getString(1),
                        rows.getInt(2),
                        status,
                        rows.getLong(4),
                        rows.getLong(5),
                        rows.getInt(6),
                        updateTimeMs));
            }
        }
    }

    /**
     * @param ids distinct, at most {@value Shapes#MAX_IDS}
     * @param now see {@link UtcTime#text}
     * @return how many of the rows had the version and the state that the change begins with
     */
    int move(Connection connection, List<String> ids, RowChange change, String now) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql(move, ids))) {
            statement.setInt(1, change.to().code());
            statement.setInt(2, change.attempts());
            statement.setString(3, now);
            int last = bindIds(statement, 4, ids);
            statement.setInt(last, change.version());
            statement.setInt(last + 1, change.from().code());
            return statement.executeUpdate();
        }
    }

    static String sql(SizedSql sql, List<String> ids) {
        return sql.of(Shapes.holding(ids.size()));
    }

    /** The last id comes again until the list is full, which finds nothing new. */
    static int bindIds(PreparedStatement statement, int first, List<String> ids) throws SQLException {
        int i = first;
        for (String id : ids) {
            statement.setString(i++, id);
        }
        for (int full = first + Shapes.holding(ids.size()); i < full; ) {
            statement.setString(i++, ids.get(ids.size() - 1));
        }
        return i;
    }
}
