package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row whose body and options were left in the database if they are longer than the limit of the query.
 *
 * @param row its body is null if body and options were left in the database
 * @param length of body and options together, in bytes or characters, as the database counts the length of a text
 */
record PartRow(JobRow row, long length) {
    /** Reads the current row of the result. The columns are those of "partColumns" in JobMapper.xml, in that order. */
    static PartRow read(ResultSet row) throws SQLException {
        return new PartRow(JobRow.read(row), row.getLong(18));
    }

    String id() {
        return row.id();
    }

    boolean isWhole() {
        return row.body() != null;
    }

    StoredMessage withoutBody() {
        return row.withBody("").toStored();
    }

    StoredMessage toStored() {
        return row.toStored();
    }
}
