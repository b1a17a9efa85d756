package io.mykit.delay.channel;

import io.mykit.delay.common.message.DelayMessage;

/**
 * A message on its way to its consumer. Immutable.
 *
 * @param attempt 1 + the counted failures; a duplicate after a crash has the same number
 * @param maxAttempts the attempts that the message has in all, by the policy of this moment; 0 = no limit
 */
public record Outgoing(DelayMessage message, int attempt, int maxAttempts) {}
