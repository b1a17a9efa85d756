package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * New rows of one table, collected and sent as JDBC batches, which the driver rewrites into multi-row INSERTs within
 * {@code max_allowed_packet}. Not thread-safe.
 *
 * <p>The SQL stands in the mapper's XML like all other; only the parameters are bound by hand, because MyBatis' binding
 * by reflection cost as much again as everything else that a row costs its client (docs/performance.md).
 *
 * @param <R> a row
 */
final class RowBatch<R> implements AutoCloseable {
    private static final int MAX_COLLECTED = 1000;

    private final Connection connection;
    private final String sql;
    private final Binder<R> binder;
    private PreparedStatement statement;
    private int collected;

    /** Asks the connection for nothing until there is a row. */
    RowBatch(Connection connection, String sql, Binder<R> binder) {
        this.connection = connection;
        this.sql = sql;
        this.binder = binder;
    }

    void add(R row) throws SQLException {
        if (statement == null) {
            statement = connection.prepareStatement(sql);
        }
        binder.bind(row, statement);
        statement.addBatch();
        if (++collected == MAX_COLLECTED) {
            flush();
        }
    }

    void flush() throws SQLException {
        if (collected > 0) {
            collected = 0;
            statement.executeBatch();
        }
    }

    @Override
    public void close() throws SQLException {
        if (statement != null) {
            statement.close();
        }
    }

    /** Puts a row's columns into a statement, in the order of its parameters. */
    interface Binder<R> {
        void bind(R row, PreparedStatement statement) throws SQLException;
    }
}
