package io.mykit.delay.queue.consumer;

import io.mykit.delay.common.message.DelayMessage;

/**
 * A message that a consumer holds.
 *
 * @param attempt the number of this attempt, from 1
 * @param deliveries how often the message was handed out, this time included: also those times that ended by a release, which {@code attempt}
 *     does not count; at least {@code attempt}
 * @param maxAttempts after so many failed attempts the message is a dead letter; 0 = no limit
 * @param receipt settles the message; empty = it is finished already
 * @param leaseUntilMs the end of the hold, epoch milliseconds; 0 = it is finished already
 */
public record PulledMessage(
        DelayMessage message, int attempt, int deliveries, int maxAttempts, String receipt, long leaseUntilMs) {
    /** The same message under another receipt. */
    public PulledMessage withReceipt(String other) {
        return new PulledMessage(message, attempt, deliveries, maxAttempts, other, leaseUntilMs);
    }

    /** The same message, which is finished. */
    public PulledMessage finished() {
        return new PulledMessage(message, attempt, deliveries, maxAttempts, "", 0);
    }

    /** The same message under another name. */
    public PulledMessage withMessage(DelayMessage other) {
        return new PulledMessage(other, attempt, deliveries, maxAttempts, receipt, leaseUntilMs);
    }
}
