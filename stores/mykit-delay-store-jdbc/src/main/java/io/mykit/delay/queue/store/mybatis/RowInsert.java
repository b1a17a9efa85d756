package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Inserts rows of one table by multi-row INSERTs. Each INSERT has one of the lengths of {@link SizedSql}.
 * Thread-safe.
 *
 * <p>The SQL is in the XML of the mapper like all other SQL. Only the parameters are bound without MyBatis, because
 * the binding of MyBatis by reflection and the rewriting of a JDBC batch by the driver each cost as much as the rest
 * (docs/performance.md).
 *
 * @param <R> a row
 */
final class RowInsert<R> {
    /**
     * The largest size of a statement, unless a single row is longer. It is below every {@code max_allowed_packet}
     * (16 MiB or more by default, and at least 1 MiB if the largest body can be stored at all).
     */
    static final long MAX_BYTES = 512 * 1024;

    private final SizedSql sql;
    private final Binder<R> binder;
    private final ToLongFunction<R> maxBytes;

    /** @param maxBytes the largest size of a row in the text of a statement */
    RowInsert(SizedSql sql, Binder<R> binder, ToLongFunction<R> maxBytes) {
        this.sql = sql;
        this.binder = binder;
        this.maxBytes = maxBytes;
    }

    void run(Connection connection, List<R> rows) throws SQLException {
        for (int from = 0; from < rows.size(); ) {
            int to = from + SizedSql.filledBy(fitting(rows, from));
            try (PreparedStatement statement = connection.prepareStatement(sql.of(to - from))) {
                int parameter = 1;
                for (R row : rows.subList(from, to)) {
                    parameter = binder.bind(row, statement, parameter);
                }
                statement.executeUpdate();
            }
            from = to;
        }
    }

    /** Returns the number of rows that one statement can take, from this row on; at least one. */
    private int fitting(List<R> rows, int from) {
        int most = Math.min(rows.size(), from + SizedSql.MAX_ROWS);
        long bytes = maxBytes.applyAsLong(rows.get(from));
        int to = from + 1;
        while (to < most) {
            bytes += maxBytes.applyAsLong(rows.get(to));
            if (bytes > MAX_BYTES) {
                break;
            }
            to++;
        }
        return to - from;
    }

    /** Binds the columns of a row, in the order of the parameters of the statement. */
    interface Binder<R> {
        /**
         * @param first number of the row's first parameter
         * @return number of the next row's first parameter
         */
        int bind(R row, PreparedStatement statement, int first) throws SQLException;
    }
}
