package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowState;
import java.time.LocalDateTime;

/** The light part of a row; the components are the columns of SearchMapper.xml. */
record StateRow(
        String id, int version, int status, long dueTimeMs, long insertedMs, int attempts, LocalDateTime updateTime) {
    RowState toState() {
        return new RowState(
                id,
                version,
                MessageStatus.ofCode(status),
                dueTimeMs,
                insertedMs,
                attempts,
                UtcTime.toMillis(updateTime));
    }
}
