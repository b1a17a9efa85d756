package io.mykit.delay.queue.bucket.redis;

import java.util.function.LongSupplier;

/** The operations that all owned buckets of an index share. Immutable. */
record OwnerCalls(
        BucketClaims terms, BucketCount layout, Leases leases, Strays strays, RedisReads reads, BucketScan scan) {
    /** @param latestDueMicros see {@link io.mykit.delay.common.time.ClusterClock#latestDueMicros()} */
    static OwnerCalls of(
            BucketClaims terms, BucketCount layout, BucketCalls calls, Wakes wakes, LongSupplier latestDueMicros) {
        return new OwnerCalls(
                terms,
                layout,
                new Leases(calls, wakes),
                new Strays(calls),
                new RedisReads(calls),
                new BucketScan(calls, wakes, latestDueMicros));
    }
}
