package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many buckets the queue has. All nodes schedule by the number that stands in Redis, beside the buckets: the first node
 * writes it, and a leader who is configured otherwise changes it before it claims anything. Thread-safe.
 */
final class BucketCount {
    private static final Logger LOG = LoggerFactory.getLogger(BucketCount.class);

    /** A node that missed the notice finds out by itself; and so it does at once when it meets a closed bucket. */
    private static final long TRUSTED_NANOS = Duration.ofSeconds(10).toNanos();
    /** While it cannot be read. */
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    /** What a leader that is configured as this node works with. */
    private final RedisKeys configured;

    private final BucketCalls calls;
    private final BucketCountChange change;
    private volatile Agreed agreed;
    /** Nobody can change the number while its server is silent: on Redis Cluster it must not stop the others. */
    private volatile RedisKeys known;

    BucketCount(RedisKeys configured, BucketCalls calls, BucketCountChange change) {
        this.configured = configured;
        this.calls = calls;
        this.change = change;
    }

    /** Where any node finds messages, and puts them. */
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
            LOG.debug("The number of buckets cannot be read; it was {}", before.buckets(), e);
            agreed = new Agreed(before, System.nanoTime() - TRUSTED_NANOS + RETRY_NANOS);
            return before;
        }
    }

    /** The number may have changed. */
    void doubt() {
        agreed = null;
    }

    /**
     * For a leader: its buckets are still those where all nodes schedule.
     *
     * @throws BucketLostException if the number is another one now, and it must claim them once more
     */
    void require(BucketKeys bucket) {
        if (agreed().buckets() != configured.buckets()) {
            throw new BucketLostException(bucket.bucket);
        }
    }

    /** Makes the configured number the agreed one. For a leader, before it claims a bucket. */
    synchronized void adopt(long epoch) {
        RedisKeys old = readOrKnown();
        if (old.buckets() != configured.buckets()) {
            change.run(old, configured, epoch);
            read();
        }
    }

    /** What is known counts only if nothing has to be changed. */
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
            // Not before, as a full Redis refuses it even where it would do nothing.
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
