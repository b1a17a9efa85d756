package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of buckets of the queue. All nodes schedule by the number in Redis, beside the buckets. The first node writes
 * it. A leader with another configured number changes it before it claims any bucket. Thread-safe.
 */
final class BucketCount {
    private static final Logger LOG = LoggerFactory.getLogger(BucketCount.class);

    /**
     * A node that missed the notice of a change reads the number again after this time, or at once when it meets a closed
     * bucket.
     */
    private static final long TRUSTED_NANOS = Duration.ofSeconds(10).toNanos();
    /** The time between two reads while Redis does not answer. */
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    /** The number with which a leader works that has the configuration of this node. */
    private final RedisKeys configured;

    private final BucketCalls calls;
    private final BucketCountChange change;
    private volatile Agreed agreed;
    /**
     * The last number that was read. No node can change the number while its server is silent. So this node uses the last
     * one, and on Redis Cluster the other shards go on.
     */
    private volatile RedisKeys known;

    BucketCount(RedisKeys configured, BucketCalls calls, BucketCountChange change) {
        this.configured = configured;
        this.calls = calls;
        this.change = change;
    }

    /** The keys by the agreed number: all nodes find and schedule messages there. */
    RedisKeys agreed() {
        Agreed last = agreed;
        if (last != null && System.nanoTime() - last.readNanos < TRUSTED_NANOS) {
            return last.keys;
        }
        try {
            return read();
        } catch (IndexUnavailableException e) {
            RedisKeys before = known;
            if (before == null) {
                throw e;
            }
            LOG.debug("Redis does not tell the number of buckets; this node goes on with {}", before.buckets(), e);
            agreed = new Agreed(before, System.nanoTime() - TRUSTED_NANOS + RETRY_NANOS);
            return before;
        }
    }

    /** Forgets the number that was read, because it may have changed. */
    void doubt() {
        agreed = null;
    }

    /** Whether all nodes still schedule in the buckets of a leader with the configuration of this node. */
    boolean isAsConfigured() {
        return agreed().buckets() == configured.buckets();
    }

    /** Makes the configured number the agreed one. A leader calls this before it claims a bucket. */
    synchronized void adopt(long epoch) {
        RedisKeys old = readOrKnown();
        if (old.buckets() != configured.buckets()) {
            change.run(old, configured, epoch);
            read();
        }
    }

    /** The last known number is enough only if no change is needed. */
    private RedisKeys readOrKnown() {
        try {
            return read();
        } catch (IndexUnavailableException e) {
            RedisKeys before = known;
            if (before == null || before.buckets() != configured.buckets()) {
                throw e;
            }
            return before;
        }
    }

    private RedisKeys read() {
        long readNanos = System.nanoTime();
        RedisCall get = RedisCall.command("GET", configured.layout());
        Object recorded = calls.run(get);
        if (recorded == null) {
            // SETNX comes only after the read, because a full Redis refuses SETNX even if it would change nothing.
            byte[] mine = Replies.bytes(configured.buckets());
            recorded = calls.runAll(List.of(RedisCall.command("SETNX", configured.layout(), mine), get))[1];
        }
        int buckets = (int) Replies.number(recorded);
        RedisKeys keys = buckets == configured.buckets() ? configured : configured.with(buckets);
        known = keys;
        agreed = new Agreed(keys, readNanos);
        return keys;
    }

    private record Agreed(RedisKeys keys, long readNanos) {}
}
