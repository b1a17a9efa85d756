package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.session.Configuration;

/**
 * The text of a mapper's statement that reads a page, and the names of its parameters, which differ between
 * databases. Thread-safe.
 */
final class PageSql {
    private final String text;
    private final List<String> parameters;

    PageSql(Configuration configuration, String name) {
        BoundSql sql = configuration
                .getMappedStatement(JobMapper.class.getName() + "." + name)
                .getBoundSql(Map.of());
        this.text = sql.getSql().strip().replaceAll("\\s+", " ");
        this.parameters = sql.getParameterMappings().stream()
                .map(ParameterMapping::getProperty)
                .toList();
    }

    /** @param longest if the statement reads bodies, it leaves longer ones in the database */
    PreparedStatement prepare(Connection connection, Query query, long longest) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text);
        try {
            int i = 1;
            for (String parameter : parameters) {
                if (parameter.equals("longest")) {
                    statement.setLong(i++, longest);
                } else {
                    bind(statement, i++, parameter, query);
                }
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, int i, String parameter, Query query) throws SQLException {
        switch (parameter) {
            case "status" -> statement.setInt(i, query.status());
            case "afterDueTime" -> statement.setLong(i, query.afterDueTime());
            case "afterId" -> statement.setString(i, query.afterId());
            case "dueBefore" -> statement.setLong(i, query.dueBefore());
            case "limit" -> statement.setInt(i, query.limit());
            default ->
                throw new IllegalArgumentException("the statement of a page has an unknown parameter: " + parameter);
        }
    }

    /** The bounds of a page: rows after (dueTime, id) that are due before a limit. Times are in epoch milliseconds. */
    record Query(int status, long afterDueTime, String afterId, long dueBefore, int limit) {
        static Query of(MessageStatus status, RowCursor after, long dueBeforeMs, int limit) {
            return new Query(status.code(), after.dueTimeMs(), after.id(), dueBeforeMs, limit);
        }
    }
}
