package io.mykit.delay.access.limit;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** Time by hand, for nodes and for Redis. */
final class Time implements InstantSource {
    private long ms = 1_800_000_000_000L;

    void pass(long milliseconds) {
        ms += milliseconds;
    }

    long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(ms);
    }
}
