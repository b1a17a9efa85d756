package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.FoundMessage;

/** A row that a search has found; the components are the columns of SearchMapper.xml. */
record FoundRow(
        String id,
        String topic,
        String subtopic,
        String bizKey,
        int status,
        long dueTimeMs,
        long firstDueMs,
        long createTimeMs,
        int attempts,
        int priority) {
    FoundMessage toFound() {
        return new FoundMessage(
                id,
                topic,
                subtopic,
                bizKey,
                MessageStatus.ofCode(status),
                dueTimeMs,
                firstDueMs,
                createTimeMs,
                attempts,
                priority);
    }
}
