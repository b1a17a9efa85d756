package io.mykit.delay.queue.operator;

import io.mykit.delay.common.message.DeadReason;

/**
 * Dead letters of one topic that died of the same cause.
 *
 * @param text the begin of their details, with {@code #} for each number
 * @param count how many they are among those that were read
 * @param newestMs when the last of them died, epoch milliseconds
 */
public record DeadGroup(DeadReason reason, String text, long count, long newestMs) {}
