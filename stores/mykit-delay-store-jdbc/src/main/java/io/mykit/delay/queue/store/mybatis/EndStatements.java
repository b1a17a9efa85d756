package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.session.Configuration;

/**
 * The statements that write ends into the rows of messages. They run without MyBatis, like {@link JobStatements}. Messages that
 * were delivered together have the same times and share a statement with one value for all of them. Others share a statement
 * that has the times of each row; the database looks for a row's times one by one, so that statement is short. Thread-safe.
 */
final class EndStatements {
    /** So many rows with the same times get a statement of their own. */
    private static final int ALIKE = 32;
    /** The largest number of rows of a statement with the times of each row. */
    private static final int MAX_DIFFERENT = 64;

    private final SizedSql end;
    private final SizedSql ends;

    EndStatements(Configuration configuration) {
        this.end = SizedSql.ofIds(configuration, JobMapper.class, "end");
        this.ends = SizedSql.ofIds(configuration, JobMapper.class, "ends");
    }

    /**
     * Applies one change to its rows.
     *
     * @param rows ends by ids, with the author of the change
     * @param now see {@link UtcTime#text}
     * @return the number of rows that had the version and the status from which the change begins
     */
    int run(Connection connection, Map<String, RowEnd> rows, RowChange change, String now) throws SQLException {
        Map<RowEnd, List<String>> alike = new LinkedHashMap<>();
        rows.forEach((id, end) ->
                alike.computeIfAbsent(end, times -> new ArrayList<>()).add(id));
        int changed = 0;
        List<String> others = new ArrayList<>(rows.size());
        for (Map.Entry<RowEnd, List<String>> group : alike.entrySet()) {
            if (alike.size() > 1 && group.getValue().size() < ALIKE) {
                others.addAll(group.getValue());
                continue;
            }
            for (List<String> ids : SizedSql.chunks(group.getValue())) {
                changed += runAlike(connection, ids, group.getKey(), change, now);
            }
        }
        others.sort(null);
        for (int from = 0; from < others.size(); from += MAX_DIFFERENT) {
            List<String> ids = others.subList(from, Math.min(from + MAX_DIFFERENT, others.size()));
            changed += runEach(connection, ids, rows, change, now);
        }
        return changed;
    }

    private int runAlike(Connection connection, List<String> ids, RowEnd times, RowChange change, String now)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(end.of(ids))) {
            int next = bindStatus(statement, change, now);
            statement.setLong(next++, times.takenMs());
            statement.setLong(next++, times.endedMs());
            return bindRest(statement, next, ids, change).executeUpdate();
        }
    }

    private int runEach(
            Connection connection, List<String> ids, Map<String, RowEnd> times, RowChange change, String now)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ends.of(ids))) {
            int next = bindStatus(statement, change, now);
            next = JobStatements.bindEach(
                    statement, next, ids, id -> id, id -> times.get(id).takenMs());
            next = JobStatements.bindEach(
                    statement, next, ids, id -> id, id -> times.get(id).endedMs());
            return bindRest(statement, next, ids, change).executeUpdate();
        }
    }

    private static int bindStatus(PreparedStatement statement, RowChange change, String now) throws SQLException {
        statement.setInt(1, change.to().code());
        statement.setInt(2, change.attempts());
        statement.setInt(3, change.attempts());
        statement.setString(4, now);
        return 5;
    }

    private static PreparedStatement bindRest(
            PreparedStatement statement, int first, List<String> ids, RowChange change) throws SQLException {
        statement.setInt(first, change.author());
        int last = SizedSql.bind(statement, first + 1, ids);
        statement.setInt(last, change.version());
        statement.setInt(last + 1, change.from().code());
        return statement;
    }
}
