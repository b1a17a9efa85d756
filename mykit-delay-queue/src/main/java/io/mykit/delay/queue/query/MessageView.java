package io.mykit.delay.queue.query;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import java.util.List;

/**
 * A message, where it is now, and how it came there.
 *
 * @param status the current one; the index is asked too, so READY is seen although the store learns it later
 * @param attempts deliveries that failed so far
 * @param updateTimeMs epoch milliseconds of the last recorded change
 * @param flow oldest first
 */
public record MessageView(
        DelayMessage message, MessageStatus status, int attempts, long updateTimeMs, List<StatusFlow> flow) {
    /**
     * Whether the flow holds the whole way: from the beginning, without a gap, to the end if there is one. It does not where the log
     * is, or was, kept at a lower level than full.
     */
    public boolean isFlowComplete() {
        MessageStatus at = null;
        boolean ended = status.isUnfinished();
        for (StatusFlow move : flow) {
            if (move.from() != at) {
                return false;
            }
            at = move.to();
            ended |= at == status;
        }
        return at != null && ended;
    }
}
