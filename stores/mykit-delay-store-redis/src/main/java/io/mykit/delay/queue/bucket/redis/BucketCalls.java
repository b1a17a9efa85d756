package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.redis.Redis;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.RedisRefusalException;
import io.mykit.delay.queue.redis.RedisReplacedException;
import io.mykit.delay.queue.redis.RedisUnavailableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.slf4j.LoggerFactory;

/** Makes calls on buckets, and turns exceptions of {@code queue.redis} into exceptions of the index. Thread-safe. */
final class BucketCalls {
    private static final String FENCED = "FENCED ";
    private static final String LOST = "LOST ";
    private static final String CLOSED = "CLOSED ";
    private static final String STALE = "STALE ";

    /** The log never gets a success call by call: a minute without a failed call ends the outage. */
    private final OutageLog outage =
            new OutageLog(LoggerFactory.getLogger(BucketCalls.class), "Calls to Redis fail", "Calls to Redis succeed");

    private final Redis redis;

    BucketCalls(Redis redis) {
        this.redis = redis;
    }

    /** The process that holds this bucket now, see {@link Redis#serverOf}. */
    String serverOf(BucketKeys bucket) {
        try {
            return redis.serverOf(bucket.epoch);
        } catch (RedisUnavailableException e) {
            throw unavailable(e);
        }
    }

    /**
     * Makes a call on the process on which the leader claimed the bucket, and on no other one.
     *
     * @throws IndexUnavailableException if Redis cannot be reached or refuses
     * @throws FencedException if the script returns FENCED
     * @throws BucketLostException if the script returns LOST, or another process answers now
     */
    Object run(BucketKeys bucket, Claim claim, LuaScript script, byte[][] keys, byte[]... arguments) {
        try {
            return redis.run(call(script, keys, arguments).onlyTo(claim.server()));
        } catch (RedisUnavailableException e) {
            throw said(bucket.bucket, e);
        }
    }

    /**
     * Makes a call on any process that holds the bucket now.
     *
     * @throws IndexUnavailableException if Redis cannot be reached or refuses
     * @throws FencedException if the script returns FENCED
     * @throws BucketLostException if the script returns LOST
     */
    Object run(BucketKeys bucket, LuaScript script, byte[][] keys, byte[]... arguments) {
        try {
            return redis.run(call(script, keys, arguments));
        } catch (RedisUnavailableException e) {
            throw said(bucket.bucket, e);
        }
    }

    /**
     * Makes one call on each of these buckets, pipelined.
     *
     * @return a reply for each call, or the exception that {@link #run} would have thrown
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

    /**
     * Makes one call on each of these buckets, pipelined.
     *
     * @param reader reads the reply of a bucket
     * @return an answer of each bucket, in order
     */
    <T> List<Answer<T>> askEach(
            List<BucketKeys> buckets, List<RedisCall> each, BiFunction<BucketKeys, Object, T> reader) {
        Object[] replies = runEach(buckets, each);
        List<Answer<T>> answers = new ArrayList<>(replies.length);
        for (int i = 0; i < replies.length; i++) {
            answers.add(answer(buckets.get(i), replies[i], reader));
        }
        return answers;
    }

    /** A reply that cannot be read must not hide the replies of the other buckets. */
    static <T> Answer<T> answer(BucketKeys bucket, Object reply, BiFunction<BucketKeys, Object, T> reader) {
        try {
            return reply instanceof RuntimeException failure
                    ? Answer.failed(bucket.bucket, failure)
                    : Answer.of(bucket.bucket, reader.apply(bucket, reply));
        } catch (RuntimeException e) {
            return Answer.failed(bucket.bucket, e);
        }
    }

    /** @throws IndexUnavailableException if Redis cannot be reached or refuses */
    Object run(RedisCall call) {
        return runAll(List.of(call))[0];
    }

    /**
     * Makes calls that are not fenced, pipelined.
     *
     * @return a reply for each call
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

    /**
     * Makes calls that are not fenced, each on a bucket, pipelined.
     *
     * @return a reply for each call
     * @throws IndexUnavailableException if one of the calls failed; it names the buckets of all failed calls
     */
    Object[] runAll(List<RedisCall> calls, List<Integer> buckets) {
        Object[] replies = redis.runAll(calls);
        RedisUnavailableException first = null;
        Set<Integer> failed = new HashSet<>();
        for (int i = 0; i < replies.length; i++) {
            if (replies[i] instanceof RedisUnavailableException e) {
                first = first == null ? e : first;
                failed.add(buckets.get(i));
            }
        }
        if (first != null) {
            throw new IndexUnavailableException(first.getMessage(), first, failed);
        }
        return replies;
    }

    /** The same of one call on every bucket, in their order. */
    Object[] runOnAll(RedisKeys keys, Function<BucketKeys, RedisCall> callOf) {
        List<Integer> buckets = IntStream.range(0, keys.buckets()).boxed().toList();
        return runAll(buckets.stream().map(keys::of).map(callOf).toList(), buckets);
    }

    /** Whether a script answered that its bucket is closed. */
    static boolean isClosed(Object reply) {
        return reply instanceof RedisRefusalException e && e.answer().startsWith(CLOSED);
    }

    /** As {@link Redis#runAll}: a failure is an exception among the replies. */
    Object[] tryAll(List<RedisCall> calls) {
        return redis.runAll(calls);
    }

    static RedisCall call(LuaScript script, byte[][] keys, byte[]... arguments) {
        return RedisCall.script(script.script(), keys, arguments);
    }

    /** Turns the errors of {@code fence.lua} and {@code claim.lua} into exceptions. */
    private RuntimeException said(int bucket, RedisUnavailableException failure) {
        if (failure instanceof RedisReplacedException) {
            return new BucketLostException(bucket);
        }
        if (!(failure instanceof RedisRefusalException e)) {
            return unavailable(failure);
        }
        if (e.answer().startsWith(STALE)) {
            return new IndexUnavailableException(
                    "bucket " + bucket + " was claimed again before Redis executed this call", e);
        }
        if (e.answer().startsWith(FENCED)) {
            String[] words = e.answer().split(" ", -1);
            return new FencedException(bucket, Long.parseLong(words[2]), Long.parseLong(words[1]));
        }
        return e.answer().startsWith(LOST) ? new BucketLostException(bucket) : unavailable(e);
    }

    private IndexUnavailableException unavailable(RedisUnavailableException e) {
        outage.failed(e.getMessage());
        return new IndexUnavailableException(e.getMessage(), e);
    }
}
