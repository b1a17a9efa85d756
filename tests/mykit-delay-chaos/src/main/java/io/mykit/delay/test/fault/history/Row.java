package io.mykit.delay.test.fault.history;

import io.mykit.delay.common.message.MessageStatus;

/**
 * A message's row at the end.
 *
 * @param version as the server counts
 * @param dueMs the first due time, epoch milliseconds
 * @param nextAttemptMs the due time, which retries move, epoch milliseconds
 */
public record Row(
        String id,
        String topic,
        MessageStatus status,
        int attempts,
        int version,
        long dueMs,
        long nextAttemptMs,
        long ttlSeconds,
        String body) {

    /** A row that no retry has moved. */
    public Row(
            String id,
            String topic,
            MessageStatus status,
            int attempts,
            int version,
            long dueMs,
            long ttlSeconds,
            String body) {
        this(id, topic, status, attempts, version, dueMs, dueMs, ttlSeconds, body);
    }

    /** Whether Redis has to know it at rest. */
    public boolean belongsIntoRedis() {
        return status.isUnfinished() && status != MessageStatus.WAIT_PUT;
    }
}
