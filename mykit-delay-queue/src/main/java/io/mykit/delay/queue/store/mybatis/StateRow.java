package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowState;

/** The light columns of {@code mykit_delay_queue_job}. */
record StateRow(String id, int status, long dueTime, long createTime, int attempts) {
    RowState toState() {
        return new RowState(id, MessageStatus.ofCode(status), dueTime, createTime, attempts);
    }
}
