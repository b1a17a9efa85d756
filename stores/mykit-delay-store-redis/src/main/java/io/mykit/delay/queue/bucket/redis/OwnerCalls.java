package io.mykit.delay.queue.bucket.redis;

import java.util.function.LongSupplier;

/** The operations that all owned buckets of an index share. Immutable. */
record OwnerCalls(BucketClaims terms, Leases leases, Strays strays, RedisReads reads, JointCalls joint) {
    /** @param latestDueMicros see {@link io.mykit.delay.common.time.ClusterClock#latestDueMicros()} */
    static OwnerCalls of(
            RedisKeys keys,
            BucketClaims terms,
            BucketCount layout,
            BucketCalls calls,
            Wakes wakes,
            LongSupplier latestDueMicros) {
        Leases leases = new Leases(calls, wakes);
        RedisReads reads = new RedisReads(calls);
        BucketScan scan = new BucketScan(calls, wakes, latestDueMicros);
        return new OwnerCalls(
                terms, leases, new Strays(calls), reads, new JointCalls(keys, terms, layout, leases, reads, scan));
    }
}
