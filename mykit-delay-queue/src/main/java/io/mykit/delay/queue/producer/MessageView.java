package io.mykit.delay.queue.producer;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.bucket.Hold;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message with its current status and its flow log.
 *
 * @param status the current status. The index is asked too, so the view shows READY although the store records it
 *     later
 * @param attempts the number of failed deliveries so far
 * @param maxAttempts the number of attempts that the policy allows now; 0 = no limit
 * @param lastError the detail of the last failure; empty if no delivery failed, or if the log does not have it
 * @param result the result with which the message finished; null = none
 * @param hold the hold of a consumer; null = none
 * @param located whether the index told where an unfinished message is; otherwise status and hold are those of the row alone
 * @param bucket the bucket of the index in which all nodes look for the message; empty if the index does not tell
 * @param updateTimeMs epoch milliseconds of the last recorded change
 * @param flow the flow log, oldest row first
 */
public record MessageView(
        DelayMessage message,
        MessageStatus status,
        int attempts,
        int maxAttempts,
        String lastError,
        MessageResult result,
        Hold hold,
        boolean located,
        OptionalInt bucket,
        long updateTimeMs,
        List<StatusFlow> flow) {
    /** Whether the message waits for an attempt, the first one included. Its due time is the time of that attempt. */
    public boolean isWaiting() {
        return status == MessageStatus.WAIT_PUT || status == MessageStatus.DELAY;
    }

    /**
     * The receipt of the consumer that holds the message, for a protocol whose consumers settle messages by their ids. Empty = no consumer
     * holds it.
     */
    public Optional<String> receipt() {
        return Optional.ofNullable(hold).flatMap(held -> held.forConsumer(message.version(), attempts));
    }

    /**
     * True if the flow log is complete: it begins with the first status, has no gap, and holds the last status if the
     * message has ended. It is incomplete if the level of the log is, or was, lower than full.
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
