package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.List;

/** Which term's leader a bucket obeys. Thread-safe. */
final class Terms {
    private final Layout layout;
    private final BucketCalls calls;

    Terms(Layout layout, BucketCalls calls) {
        this.layout = layout;
        this.calls = calls;
    }

    long highestEpoch() {
        RedisKeys keys = layout.agreed();
        List<RedisCall> gets = new ArrayList<>();
        for (int bucket = 0; bucket < keys.buckets(); bucket++) {
            gets.add(RedisCall.command("GET", keys.of(bucket).epoch));
        }
        long highest = 0;
        for (Object epoch : calls.runAll(gets)) {
            highest = epoch == null ? highest : Math.max(highest, Replies.number(epoch));
        }
        return highest;
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
