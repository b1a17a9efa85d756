package io.mykit.delay.queue.store.mybatis;

import java.time.LocalDateTime;

/**
 * The row of a message with one row of its log; the components are their columns.
 *
 * @param rowStatus the status of the message
 * @param logId null if the message has no row in the log; the other columns of the log are null as well then
 */
record TimelineRow(
        String id,
        int rowStatus,
        int rowAttempts,
        Integer firstStatus,
        Long begun,
        Integer begunBy,
        long taken,
        long ended,
        int endedBy,
        Long logId,
        Integer fromStatus,
        Integer status,
        Integer attempt,
        String thread,
        String host,
        String detail,
        LocalDateTime updateTime) {}
