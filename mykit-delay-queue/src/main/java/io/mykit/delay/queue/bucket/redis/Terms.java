package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.RedisUnavailableException;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which term's leader a bucket obeys. Thread-safe. */
final class Terms {
    /** As configured. */
    private final RedisKeys keys;

    private final Layout layout;
    private final BucketCalls calls;

    Terms(RedisKeys keys, Layout layout, BucketCalls calls) {
        this.keys = keys;
        this.layout = layout;
        this.calls = calls;
    }

    long highestEpoch() {
        long highest = 0;
        for (Object epoch : calls.runAll(gets(layout.agreed()))) {
            highest = epoch == null ? highest : Math.max(highest, Replies.number(epoch));
        }
        return highest;
    }

    /** The configured buckets whose servers do not answer. */
    Set<Integer> silent() {
        Set<Integer> silent = new HashSet<>();
        Object[] replies = calls.tryAll(gets(keys));
        for (int bucket = 0; bucket < replies.length; bucket++) {
            if (replies[bucket] instanceof RedisUnavailableException) {
                silent.add(bucket);
            }
        }
        return silent;
    }

    private static List<RedisCall> gets(RedisKeys keys) {
        List<RedisCall> gets = new ArrayList<>();
        for (int bucket = 0; bucket < keys.buckets(); bucket++) {
            gets.add(RedisCall.command("GET", keys.of(bucket).epoch));
        }
        return gets;
    }

    ClaimResult claim(BucketKeys bucket, long epoch) {
        layout.adopt(epoch);
        byte[][] scriptKeys = {bucket.epoch, bucket.restoring, bucket.closed};
        return ClaimResult.valueOf(Replies.text(calls.run(bucket, LuaScript.CLAIM, scriptKeys, Replies.bytes(epoch))));
    }

    void markRestored(BucketKeys bucket, long epoch) {
        byte[][] scriptKeys = {bucket.epoch, bucket.restoring};
        calls.run(bucket, LuaScript.MARK_RESTORED, scriptKeys, Replies.bytes(epoch));
    }
}
