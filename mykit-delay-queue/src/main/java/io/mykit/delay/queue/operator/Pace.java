package io.mykit.delay.queue.operator;

import io.mykit.delay.common.message.MessageLimits;
import java.time.Duration;

/**
 * The due times of messages that are respawned together, so that a receiver which has just recovered is not flooded.
 *
 * @param delay from the call to the first due time
 * @param perSecond how many fall due in a second; 0 = all at once
 */
public record Pace(Duration delay, int perSecond) {
    /** All messages are due at once. */
    public static final Pace AT_ONCE = new Pace(Duration.ZERO, 0);

    /** The due time of the message with this number, from 0; epoch milliseconds, never before now. */
    public long dueMs(long begunMs, long nowMs, long number) {
        long afterMs = perSecond == 0 ? 0 : number * 1000 / perSecond;
        return Math.min(MessageLimits.MAX_DUE_TIME_MS, Math.max(nowMs, begunMs + delay.toMillis() + afterMs));
    }
}
