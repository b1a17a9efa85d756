package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowCursor;

/** The parameters of a page: rows after (dueTime, id), due before a limit. Epoch milliseconds. */
record PageQuery(int status, long afterDueTime, String afterId, long dueBefore, int limit) {
    static PageQuery of(MessageStatus status, RowCursor after, long dueBeforeMs, int limit) {
        return new PageQuery(status.code(), after.dueTimeMs(), after.id(), dueBeforeMs, limit);
    }
}
