package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.time.Duration;
import java.util.List;

/**
 * How many buckets the queue has. All nodes schedule by the number that stands in Redis, beside the buckets: the first node
 * writes it, and a leader who is configured otherwise changes it before it claims anything. Thread-safe.
 */
final class Layout {
    /** A node that missed the notice finds out by itself; and so it does at once when it meets a closed bucket. */
    private static final long TRUSTED_NANOS = Duration.ofSeconds(10).toNanos();

    /** What a leader that is configured as this node works with. */
    private final RedisKeys configured;

    private final BucketCalls calls;
    private final LayoutChange change;
    private volatile Agreed agreed;

    Layout(RedisKeys configured, BucketCalls calls, LayoutChange change) {
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
        return read();
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
        RedisKeys old = read();
        if (old.buckets() != configured.buckets()) {
            change.run(old, configured, epoch);
            read();
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
        agreed = new Agreed(keys, readNanos);
        return keys;
    }

    private record Agreed(RedisKeys keys, long readNanos) {}
}
