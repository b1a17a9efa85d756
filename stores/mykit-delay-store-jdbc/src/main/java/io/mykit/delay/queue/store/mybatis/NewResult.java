package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageResult;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A row that is to be inserted into {@code mykit_delay_queue_result}.
 *
 * @param now see {@link UtcTime#text}
 */
record NewResult(String id, MessageResult result, String now) {
    /** The size of numbers, quotes and commas. */
    private static final int FIXED_BYTES = 50;

    /** Binds the columns in the order of "insert" in ResultMapper.xml. Returns the number of the next parameter. */
    int bind(PreparedStatement statement, int first) throws SQLException {
        int i = first;
        statement.setString(i++, id);
        statement.setInt(i++, ResultRow.encoding(result));
        statement.setString(i++, result.text());
        statement.setString(i++, now);
        return i;
    }

    /** The largest size of the row in a statement, see {@link NewJob#maxBytes}. */
    long maxBytes() {
        return 3L * (id.length() + result.text().length()) + FIXED_BYTES;
    }
}
