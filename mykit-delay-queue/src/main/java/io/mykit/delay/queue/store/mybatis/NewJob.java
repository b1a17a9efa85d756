package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.store.NewMessage;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A row that is to be inserted into {@code mykit_delay_queue_job}.
 *
 * @param now see {@link UtcTime#text}
 */
record NewJob(NewMessage item, String now) {
    /** The size of numbers, quotes and commas. */
    private static final int FIXED_BYTES = 200;

    /** Binds the columns in the order of JobMapper.xml. Returns the number of the next parameter. */
    int bind(PreparedStatement statement, int first) throws SQLException {
        DelayMessage message = item.message();
        int i = first;
        statement.setString(i++, message.id());
        statement.setString(i++, message.bizKey());
        statement.setString(i++, message.topic());
        statement.setString(i++, message.subtopic());
        statement.setLong(i++, message.delayMs());
        statement.setLong(i++, message.createTimeMs());
        statement.setLong(i++, message.dueTimeMs());
        statement.setString(i++, message.body());
        statement.setInt(i++, item.status().code());
        statement.setInt(i++, Math.toIntExact(message.ttlSeconds()));
        statement.setInt(i++, message.priority());
        statement.setString(i++, now);
        return i;
    }

    /**
     * The largest size of the row in a statement. A character is at most three bytes of UTF-8, or an ASCII character
     * with a backslash.
     */
    long maxBytes() {
        DelayMessage message = item.message();
        long characters = message.body().length();
        characters += message.id().length() + message.bizKey().length();
        characters += message.topic().length() + message.subtopic().length();
        return characters * 3 + FIXED_BYTES;
    }
}
