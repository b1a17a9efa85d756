package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row whose body was left in the database if it is longer than was asked for.
 *
 * @param row its body is null if it was left there
 * @param bodyLength in bytes or characters, as the database counts the length of a text
 */
record PartRow(JobRow row, long bodyLength) {
    /** The row at hand; the columns are those of "part" in JobMapper.xml, in that order. */
    static PartRow read(ResultSet row) throws SQLException {
        return new PartRow(JobRow.read(row), row.getLong(15));
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
