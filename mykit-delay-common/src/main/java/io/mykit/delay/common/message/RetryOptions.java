package io.mykit.delay.common.message;

import java.util.List;

/**
 * Some keys of a retry policy, as a producer, a topic or a channel gives them. A component that is null is not given; the
 * next source decides. Immutable.
 *
 * @param maxAttempts the first attempt included; 0 = no limit
 * @param intervalMs the first gap, milliseconds
 * @param multiplier the factor from one gap to the next; 1 = all gaps are equal
 * @param maxIntervalMs the longest gap, milliseconds
 * @param gapsMs the gaps one by one, milliseconds; the last one repeats. Excludes the three keys above
 * @param jitter 0 to 1: a gap is drawn from {@code [gap * (1 - jitter), gap]}
 */
public record RetryOptions(
        Integer maxAttempts, Long intervalMs, Double multiplier, Long maxIntervalMs, List<Long> gapsMs, Double jitter) {
    public static final RetryOptions NONE = new RetryOptions(null, null, null, null, null, null);

    public RetryOptions {
        gapsMs = gapsMs == null ? null : List.copyOf(gapsMs);
    }

    /** Whether a key of the growing form is given: {@code interval}, {@code multiplier} or {@code maxInterval}. */
    public boolean grows() {
        return intervalMs != null || multiplier != null || maxIntervalMs != null;
    }

    /**
     * These keys, and those of {@code next} where these have none. A list of gaps and a growing interval exclude each other:
     * the form that is given here hides the other form there.
     */
    public RetryOptions or(RetryOptions next) {
        boolean gapsDecided = gapsMs != null || grows();
        boolean growthDecided = gapsMs != null;
        return new RetryOptions(
                first(maxAttempts, next.maxAttempts),
                growthDecided ? intervalMs : first(intervalMs, next.intervalMs),
                growthDecided ? multiplier : first(multiplier, next.multiplier),
                growthDecided ? maxIntervalMs : first(maxIntervalMs, next.maxIntervalMs),
                gapsDecided ? gapsMs : next.gapsMs,
                first(jitter, next.jitter));
    }

    /** The same keys with another number of attempts. */
    public RetryOptions withMaxAttempts(int attempts) {
        return new RetryOptions(attempts, intervalMs, multiplier, maxIntervalMs, gapsMs, jitter);
    }

    private static <T> T first(T mine, T next) {
        return mine == null ? next : mine;
    }
}
