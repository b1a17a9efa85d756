package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.LocalDateTime;

/** A row of {@code mykit_delay_queue_job}; the components are its columns. */
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
        LocalDateTime updateTime) {

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
                UtcTime.ofMillis(nowMs));
    }

    StoredMessage toStored() {
        DelayMessage message =
                new DelayMessage(id, topic, subtopic, bizkey, body, delay, createTime, dueTime, priority, ttl);
        return new StoredMessage(message, MessageStatus.ofCode(status), attempts, UtcTime.toMillis(updateTime));
    }
}
