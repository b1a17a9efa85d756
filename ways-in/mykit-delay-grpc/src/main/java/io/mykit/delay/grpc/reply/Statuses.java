package io.mykit.delay.grpc.reply;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.v1.TaskStatus;

/** The status of a message, as this interface tells it. Stateless. */
public final class Statuses {
    private Statuses() {}

    /** @param status null = not told */
    public static TaskStatus of(MessageStatus status) {
        if (status == null) {
            return TaskStatus.PENDING;
        }
        return switch (status) {
            case WAIT_PUT, DELAY, RESTORE -> TaskStatus.PENDING;
            case READY -> TaskStatus.RUNNING;
            case FINISH -> TaskStatus.SUCCEEDED;
            case DELETE -> TaskStatus.CANCELLED;
            case FAILED -> TaskStatus.FAILED;
            case EXPIRED -> TaskStatus.EXPIRED;
        };
    }
}
