package io.mykit.delay.common.lifecycle;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * Exponential backoff with jitter: the n-th delay is drawn between half of {@code base * 2^(n-1)} and all of it, and
 * never exceeds {@code max}. ("Equal jitter" in Marc Brooker, Exponential Backoff And Jitter, AWS Architecture Blog,
 * 2015.) Immutable and thread-safe.
 */
public record Backoff(Duration base, Duration max, DoubleSupplier random) {

    public Backoff(Duration base, Duration max) {
        this(base, max, () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * The delay after {@code failures} failures in a row.
     *
     * @param failures at least 1
     */
    public Duration after(int failures) {
        int doublings = Math.min(Math.max(failures, 1) - 1, 40);
        double full = Math.min((double) max.toMillis(), base.toMillis() * Math.pow(2, doublings));
        return Duration.ofMillis(Math.round(full / 2 + full / 2 * random.getAsDouble()));
    }
}
