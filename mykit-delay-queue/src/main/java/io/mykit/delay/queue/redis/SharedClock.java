package io.mykit.delay.queue.redis;

import io.mykit.delay.common.time.ClusterClock;

/**
 * Feeds the {@link ClusterClock} with the time of one Redis server: always the same, also on Redis
 * Cluster, as clocks of several servers would make it jump to and fro. Thread-safe.
 */
final class SharedClock {
    /** An answer that took longer tells the time less exactly than the last good one. */
    private static final long GOOD_ROUND_TRIP_NANOS = 50_000_000;
    /** ... unless that is too long ago. */
    private static final long STALE_NANOS = 10_000_000_000L;

    private final ClusterClock clock;
    private volatile long lastSampleNanos;

    SharedClock(ClusterClock clock) {
        this.clock = clock;
    }

    long millis() {
        return clock.millis();
    }

    long nanos() {
        return clock.nanos();
    }

    /**
     * @param sharedMicros epoch microseconds
     * @param askedNanos {@link #nanos()} just before it was asked
     */
    void sample(long sharedMicros, long askedNanos) {
        long now = clock.nanos();
        boolean stale = !clock.isSampled() || now - lastSampleNanos > STALE_NANOS;
        if (stale || now - askedNanos <= GOOD_ROUND_TRIP_NANOS) {
            clock.sample(sharedMicros, askedNanos);
            lastSampleNanos = now;
        }
    }
}
