package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.options.OptionsJson;
import io.mykit.delay.queue.store.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;

/**
 * A row of {@code mykit_delay_queue_job}; the components are its columns.
 *
 * @param encoding see {@link #encoding(MessageExtras)}
 * @param options see {@link OptionsJson}; null if the message has none
 * @param firstDue 0 for null
 */
record JobRow(
        String id,
        String bizkey,
        String topic,
        String subtopic,
        long delay,
        long createTime,
        long dueTime,
        String body,
        int status,
        int ttl,
        int priority,
        int attempts,
        LocalDateTime updateTime,
        int version,
        int encoding,
        String options,
        long firstDue) {
    private static final int TEXT = 0;
    private static final int BASE64 = 1;

    static JobRow of(DelayMessage message, MessageStatus status, int attempts, long nowMs) {
        return new JobRow(
                message.id(),
                message.bizKey(),
                message.topic(),
                message.subtopic(),
                message.delayMs(),
                message.createTimeMs(),
                message.dueTimeMs(),
                message.body(),
                status.code(),
                Math.toIntExact(message.ttlSeconds()),
                message.priority(),
                attempts,
                UtcTime.ofMillis(nowMs),
                message.version(),
                encoding(message.extras()),
                OptionsJson.write(message.extras()),
                message.extras().firstDueMs());
    }

    /** Reads the current row of the result. The columns are those of JobMapper.xml, in that order. */
    static JobRow read(ResultSet row) throws SQLException {
        return new JobRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                row.getString(8),
                row.getInt(9),
                row.getInt(10),
                row.getInt(11),
                row.getInt(12),
                UtcTime.read(row, 13),
                row.getInt(14),
                row.getInt(15),
                row.getString(16),
                row.getLong(17));
    }

    /** The value of the column {@code encoding}. */
    static int encoding(MessageExtras extras) {
        return extras.binary() ? BASE64 : TEXT;
    }

    JobRow withBody(String other) {
        return new JobRow(
                id,
                bizkey,
                topic,
                subtopic,
                delay,
                createTime,
                dueTime,
                other,
                status,
                ttl,
                priority,
                attempts,
                updateTime,
                version,
                encoding,
                options,
                firstDue);
    }

    StoredMessage toStored() {
        DelayMessage message = new DelayMessage(
                id,
                topic,
                subtopic,
                bizkey,
                body,
                delay,
                createTime,
                dueTime,
                priority,
                ttl,
                version,
                OptionsJson.read(encoding == BASE64, options, firstDue));
        return new StoredMessage(message, MessageStatus.ofCode(status), attempts, UtcTime.toMillis(updateTime));
    }
}
