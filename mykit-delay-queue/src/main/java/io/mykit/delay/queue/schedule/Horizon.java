package io.mykit.delay.queue.schedule;

import java.time.Duration;

/**
 * The time before the due time at which a message enters the index.
 *
 * @param span zero = all messages are in the index
 */
public record Horizon(Duration span) {
    /** The first due time that is beyond the horizon, in milliseconds since 1970. */
    public long endMs(long nowMs) {
        return span.isZero() ? Long.MAX_VALUE : nowMs + span.toMillis() + 1;
    }

    /** True if a message with this due time belongs into the index. */
    public boolean includes(long dueTimeMs, long nowMs) {
        return dueTimeMs < endMs(nowMs);
    }
}
