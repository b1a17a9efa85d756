package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.redis.Redis;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.RedisRefusalException;
import io.mykit.delay.queue.redis.RedisReplacedException;
import io.mykit.delay.queue.redis.RedisUnavailableException;
import java.util.List;

/** Calls on buckets; says in the index's exceptions what Redis said in its own. Thread-safe. */
final class BucketCalls {
    private static final String FENCED = "FENCED ";
    private static final String LOST = "LOST ";
    private static final String CLOSED = "CLOSED ";
    private static final String STALE = "STALE ";

    private final Redis redis;

    BucketCalls(Redis redis) {
        this.redis = redis;
    }

    /** The run id of the process that has this bucket now; empty if it does not tell. */
    String serverOf(BucketKeys bucket) {
        try {
            return redis.serverOf(bucket.epoch);
        } catch (RedisUnavailableException e) {
            throw unavailable(e);
        }
    }

    /**
     * A call for the process that the leader claimed the bucket on.
     *
     * @throws IndexUnavailableException if Redis cannot be reached or refuses
     * @throws FencedException if the script says so
     * @throws BucketLostException if the script says so, or another process is there now
     */
    Object run(BucketKeys bucket, Claim claim, LuaScript script, byte[][] keys, byte[]... arguments) {
        try {
            return redis.run(call(script, keys, arguments).onlyTo(claim.server()));
        } catch (RedisUnavailableException e) {
            throw said(bucket.bucket, e);
        }
    }

    /**
     * @throws IndexUnavailableException if Redis cannot be reached or refuses
     * @throws FencedException if the script says so
     * @throws BucketLostException if the script says so
     */
    Object run(BucketKeys bucket, LuaScript script, byte[][] keys, byte[]... arguments) {
        try {
            return redis.run(call(script, keys, arguments));
        } catch (RedisUnavailableException e) {
            throw said(bucket.bucket, e);
        }
    }

    /**
     * Pipelined, a call on each of these buckets.
     *
     * @return a reply for each, or the exception that {@link #run} would have thrown
     */
    Object[] runEach(List<BucketKeys> buckets, List<RedisCall> each) {
        Object[] replies = redis.runAll(each);
        for (int i = 0; i < replies.length; i++) {
            if (replies[i] instanceof RedisUnavailableException e) {
                replies[i] = said(buckets.get(i).bucket, e);
            }
        }
        return replies;
    }

    /** @throws IndexUnavailableException if Redis cannot be reached or refuses */
    Object run(RedisCall call) {
        return runAll(List.of(call))[0];
    }

    /**
     * Pipelined; for calls that are not fenced.
     *
     * @return a reply for each
     * @throws IndexUnavailableException if one of them failed
     */
    Object[] runAll(List<RedisCall> calls) {
        Object[] replies = redis.runAll(calls);
        for (Object reply : replies) {
            if (reply instanceof RedisUnavailableException e) {
                throw unavailable(e);
            }
        }
        return replies;
    }

    /** Whether a script said that its bucket is closed. */
    static boolean isClosed(Object reply) {
        return reply instanceof RedisRefusalException e && e.answer().startsWith(CLOSED);
    }

    /** As {@link Redis#runAll}: what failed is an exception among the replies. */
    Object[] tryAll(List<RedisCall> calls) {
        return redis.runAll(calls);
    }

    static RedisCall call(LuaScript script, byte[][] keys, byte[]... arguments) {
        return RedisCall.script(script.script(), keys, arguments);
    }

    /** What {@code fence.lua} and {@code claim.lua} say about the bucket. */
    private static RuntimeException said(int bucket, RedisUnavailableException failure) {
        if (failure instanceof RedisReplacedException) {
            return new BucketLostException(bucket);
        }
        if (!(failure instanceof RedisRefusalException e)) {
            return unavailable(failure);
        }
        if (e.answer().startsWith(STALE)) {
            return new IndexUnavailableException(
                    "bucket " + bucket + " was claimed again before this call got there", e);
        }
        if (e.answer().startsWith(FENCED)) {
            String[] words = e.answer().split(" ", -1);
            return new FencedException(bucket, Long.parseLong(words[2]), Long.parseLong(words[1]));
        }
        return e.answer().startsWith(LOST) ? new BucketLostException(bucket) : unavailable(e);
    }

    private static IndexUnavailableException unavailable(RedisUnavailableException e) {
        return new IndexUnavailableException(e.getMessage(), e);
    }
}
