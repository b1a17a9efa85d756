package io.mykit.delay.queue.store;

import java.util.Optional;

/**
 * A topic of which nothing is delivered.
 *
 * @param untilMs the end of the pause, epoch milliseconds; {@link #UNTIL_RESUMED} = an operator ends it
 */
public record TopicPause(String topic, long untilMs) {
    public static final long UNTIL_RESUMED = Long.MAX_VALUE;

    public boolean isOn(long nowMs) {
        return nowMs < untilMs;
    }

    /** Empty = an operator ends the pause. */
    public Optional<Long> endMs() {
        return untilMs == UNTIL_RESUMED ? Optional.empty() : Optional.of(untilMs);
    }
}
