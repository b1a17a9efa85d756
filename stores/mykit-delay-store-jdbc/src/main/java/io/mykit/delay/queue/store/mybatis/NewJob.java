package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.queue.options.OptionsJson;
import io.mykit.delay.queue.store.NewMessage;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/**
 * A row that is to be inserted into {@code mykit_delay_queue_job}.
 *
 * @param options see {@link OptionsJson}; null if the message has none
 * @param nowMs epoch milliseconds
 * @param now the same time, see {@link UtcTime#text}
 * @param author of the push, see {@link Authors}; 0 = the timeline does not tell of the push
 */
record NewJob(NewMessage item, String options, long nowMs, String now, int author) {
    /** The size of numbers, quotes and commas. */
    private static final int FIXED_BYTES = 240;

    NewJob(NewMessage item, long nowMs, String now, int author) {
        this(item, OptionsJson.write(item.message().extras()), nowMs, now, author);
    }

    /** True if the columns that {@link #bindPlain} leaves out have their defaults. */
    boolean isPlain() {
        return item.message().extras().equals(MessageExtras.NONE);
    }

    /** Binds the columns in the order of "insert" in JobMapper.xml. Returns the number of the next parameter. */
    int bind(PreparedStatement statement, int first) throws SQLException {
        MessageExtras extras = item.message().extras();
        int i = bindPlain(statement, first);
        statement.setInt(i++, JobRow.encoding(extras));
        statement.setString(i++, options);
        statement.setLong(i++, extras.firstDueMs());
        return i;
    }

    /** Binds the columns in the order of "insertPlain" in JobMapper.xml. Returns the number of the next parameter. */
    int bindPlain(PreparedStatement statement, int first) throws SQLException {
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
        return bindPush(statement, i);
    }

    private int bindPush(PreparedStatement statement, int first) throws SQLException {
        int i = first;
        // Without an author too: decisions need the time, and a node of an older version reads time and status
        // together.
        statement.setInt(i++, item.status().code());
        statement.setLong(i++, nowMs);
        if (author == 0) {
            statement.setNull(i++, Types.INTEGER);
        } else {
            statement.setInt(i++, author);
        }
        return i;
    }

    /**
     * The largest size of the row in a statement. A character is at most three bytes of UTF-8, or an ASCII character
     * with a backslash.
     */
    long maxBytes() {
        DelayMessage message = item.message();
        long characters = (long) message.body().length() + (options == null ? 0 : options.length());
        characters += message.id().length() + message.bizKey().length();
        characters += message.topic().length() + message.subtopic().length();
        return characters * 3 + FIXED_BYTES;
    }
}
