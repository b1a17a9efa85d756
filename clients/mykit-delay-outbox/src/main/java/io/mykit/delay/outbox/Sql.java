package io.mykit.delay.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** Statements with their values. */
final class Sql {
    private Sql() {}

    /** Reads a value of a row. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** @param values texts, numbers, or null for a missing text */
    static int update(Connection connection, String sql, Collection<?> values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            fill(statement, values);
            return statement.executeUpdate();
        }
    }

    static <T> List<T> query(Connection connection, String sql, Collection<?> values, Reader<T> reader)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            fill(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                List<T> read = new ArrayList<>();
                while (rows.next()) {
                    read.add(reader.read(rows));
                }
                return read;
            }
        }
    }

    private static void fill(PreparedStatement statement, Collection<?> values) throws SQLException {
        int index = 1;
        for (Object value : values) {
            if (value == null) {
                statement.setNull(index, Types.VARCHAR);
            } else if (value instanceof Long number) {
                statement.setLong(index, number);
            } else if (value instanceof Integer number) {
                statement.setInt(index, number);
            } else {
                statement.setString(index, (String) value);
            }
            index++;
        }
    }

    /** {@code (?,?,?)} */
    static String in(int count) {
        return "(" + String.join(",", Collections.nCopies(count, "?")) + ")";
    }

    static List<Object> values(Object first, Collection<?> more) {
        List<Object> all = new ArrayList<>();
        all.add(first);
        all.addAll(more);
        return all;
    }

    static List<Object> values(Collection<?> some, Object last) {
        List<Object> all = new ArrayList<>(some);
        all.add(last);
        return all;
    }
}
