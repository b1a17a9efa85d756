package io.mykit.delay.channel;

import io.mykit.delay.common.message.DelayMessage;
import java.util.function.BooleanSupplier;

/**
 * A message on its way to its consumer. Immutable.
 *
 * @param attempt 1 + the counted failures; a duplicate after a crash has the same number
 * @param maxAttempts the attempts that the message has in all, by the policy of this moment; 0 = no limit
 * @param mayBeSent whether this node may still send the message: it leads, and the message's lease lasts. Does not block.
 *     A channel that lets messages wait asks right before it sends one
 */
public record Outgoing(DelayMessage message, int attempt, int maxAttempts, BooleanSupplier mayBeSent) {

    /** A message that may always be sent. */
    public Outgoing(DelayMessage message, int attempt, int maxAttempts) {
        this(message, attempt, maxAttempts, () -> true);
    }
}
