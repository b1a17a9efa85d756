package io.mykit.delay.queue.store.mybatis;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;

/** Binds and reads times for MyBatis, see {@link UtcTime}. */
final class UtcTimeHandler extends BaseTypeHandler<LocalDateTime> {
    @Override
    public void setNonNullParameter(PreparedStatement statement, int i, LocalDateTime time, JdbcType type)
            throws SQLException {
        statement.setString(i, UtcTime.text(time));
    }

    @Override
    public LocalDateTime getNullableResult(ResultSet row, String column) throws SQLException {
        return UtcTime.read(row, row.findColumn(column));
    }

    @Override
    public LocalDateTime getNullableResult(ResultSet row, int column) throws SQLException {
        return UtcTime.read(row, column);
    }

    @Override
    public LocalDateTime getNullableResult(CallableStatement statement, int column) {
        throw new UnsupportedOperationException("no statement calls a procedure");
    }
}
