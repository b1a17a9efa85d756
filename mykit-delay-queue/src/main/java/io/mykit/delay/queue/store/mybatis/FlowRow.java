package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import java.time.LocalDateTime;

/** A row of {@code mykit_delay_queue_job_log}; the components are its columns. */
record FlowRow(
        String id,
        Integer fromStatus,
        int status,
        int attempt,
        String thread,
        String host,
        String detail,
        LocalDateTime updateTime) {

    StatusFlow toFlow() {
        return new StatusFlow(
                id,
                fromStatus == null ? null : MessageStatus.ofCode(fromStatus),
                MessageStatus.ofCode(status),
                UtcTime.toMillis(updateTime),
                thread,
                host,
                attempt,
                detail);
    }
}
