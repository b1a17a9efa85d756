package io.mykit.delay.queue.consumer;

import io.mykit.delay.common.message.DelayMessage;

/**
 * A message that a consumer holds.
 *
 * @param attempt the number of this attempt, from 1
 * @param maxAttempts after so many failed attempts the message is a dead letter; 0 = no limit
 * @param receipt settles the message; empty = it is finished already
 * @param leaseUntilMs the end of the hold, epoch milliseconds; 0 = it is finished already
 */
public record PulledMessage(DelayMessage message, int attempt, int maxAttempts, String receipt, long leaseUntilMs) {
    /** The same message under another receipt; empty = it is finished. */
    public PulledMessage withReceipt(String other) {
        return new PulledMessage(message, attempt, maxAttempts, other, leaseUntilMs);
    }
}
