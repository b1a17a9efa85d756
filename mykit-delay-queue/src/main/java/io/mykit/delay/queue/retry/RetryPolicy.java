package io.mykit.delay.queue.retry;

import io.mykit.delay.common.message.RetryOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * When a message is tried again. Immutable.
 *
 * @param maxAttempts the first attempt included; 0 = no limit
 * @param gapsMs the gaps one by one, milliseconds, and the last one repeats; empty = the gaps grow from {@code intervalMs}
 * @param intervalMs the first gap, milliseconds
 * @param multiplier the factor from one gap to the next
 * @param maxIntervalMs the longest gap, milliseconds; at least {@code intervalMs}
 * @param jitter 0 to 1: a gap is drawn from {@code [gap * (1 - jitter), gap]}
 */
public record RetryPolicy(
        int maxAttempts, List<Long> gapsMs, long intervalMs, double multiplier, long maxIntervalMs, double jitter) {
    private static final double JITTER_OF_GROWING_GAPS = 0.5;

    public RetryPolicy {
        gapsMs = List.copyOf(gapsMs);
        maxIntervalMs = Math.max(intervalMs, maxIntervalMs);
    }

    /** @param options with {@code maxAttempts}, and with gaps or all three keys of growing gaps */
    static RetryPolicy of(RetryOptions options) {
        boolean listed = options.gapsMs() != null && !options.gapsMs().isEmpty();
        double multiplier = listed ? 1 : options.multiplier();
        double jitter = multiplier > 1 ? JITTER_OF_GROWING_GAPS : 0;
        return new RetryPolicy(
                options.maxAttempts(),
                listed ? options.gapsMs() : List.of(),
                listed ? 0 : options.intervalMs(),
                multiplier,
                listed ? 0 : options.maxIntervalMs(),
                options.jitter() == null ? jitter : options.jitter());
    }

    /** Whether a message with so many failed attempts is a dead letter. */
    public boolean isUsedUp(int attempts) {
        return maxAttempts > 0 && attempts >= maxAttempts;
    }

    /**
     * The gap after so many failed attempts.
     *
     * @param attempts at least 1
     * @param random draws from 0 (inclusive) to 1 (exclusive)
     */
    public Duration gapAfter(int attempts, DoubleSupplier random) {
        double longest = fullMs(Math.max(attempts, 1) - 1);
        return Duration.ofMillis(Math.round(longest * (1 - jitter + jitter * random.getAsDouble())));
    }

    private double fullMs(int before) {
        if (!gapsMs.isEmpty()) {
            return (double) gapsMs.get(Math.min(before, gapsMs.size() - 1));
        }
        // The power of a large number of attempts is infinite, and infinite times zero is not a number.
        return intervalMs == 0 ? 0 : Math.min((double) maxIntervalMs, intervalMs * Math.pow(multiplier, before));
    }
}
