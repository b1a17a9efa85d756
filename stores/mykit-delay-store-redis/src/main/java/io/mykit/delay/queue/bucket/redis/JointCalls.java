package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.Take;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/** Calls of a leader on several of its buckets, pipelined. Thread-safe. */
record JointCalls(
        RedisKeys keys, BucketClaims terms, BucketCount layout, Leases leases, RedisReads reads, BucketScan scan) {
    List<Take> take(List<OwnedBucket> buckets, String topic, int limit, Duration lease) {
        return leases.take(keysOf(buckets), topic, claimsOf(buckets), limit, lease);
    }

    List<Answer<Void>> settle(List<OwnedBucket> buckets, List<? extends Collection<String>> ids) {
        return leases.settle(keysOf(buckets), claimsOf(buckets), ids);
    }

    List<Answer<Long>> nextDue(List<OwnedBucket> buckets) {
        return agreed(buckets, reads::nextDue);
    }

    List<Answer<ScanResult>> moveDue(List<OwnedBucket> buckets, int limit, Handover handover) {
        return agreed(buckets, (some, claims) -> scan.moveDue(some, claims, limit, handover));
    }

    /** Calls nothing if the number of buckets has changed: the leader must claim its buckets again. */
    private <T> List<Answer<T>> agreed(
            List<OwnedBucket> buckets, BiFunction<List<BucketKeys>, List<Claim>, List<Answer<T>>> call) {
        try {
            return layout.isAsConfigured()
                    ? call.apply(keysOf(buckets), claimsOf(buckets))
                    : failed(buckets, BucketLostException::new);
        } catch (IndexUnavailableException e) {
            return failed(buckets, bucket -> e);
        }
    }

    private static <T> List<Answer<T>> failed(List<OwnedBucket> buckets, IntFunction<RuntimeException> failure) {
        return buckets.stream()
                .map(bucket -> Answer.<T>failed(bucket.bucket(), failure.apply(bucket.bucket())))
                .toList();
    }

    private List<BucketKeys> keysOf(List<OwnedBucket> buckets) {
        return buckets.stream().map(bucket -> keys.of(bucket.bucket())).toList();
    }

    private List<Claim> claimsOf(List<OwnedBucket> buckets) {
        return buckets.stream()
                .map(bucket -> terms.claimOf(bucket.bucket(), bucket.epoch()))
                .toList();
    }
}
