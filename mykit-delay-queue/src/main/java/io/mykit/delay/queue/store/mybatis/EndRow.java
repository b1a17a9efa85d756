package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.EndedRow;
import java.time.LocalDateTime;

/** The columns of {@code mykit_delay_queue_job} that tell how long ago a message ended. */
record EndRow(String id, long dueTime, LocalDateTime updateTime) {
    EndedRow toEnded() {
        return new EndedRow(id, dueTime, UtcTime.toMillis(updateTime));
    }
}
