package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.RedisUnavailableException;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The claims that this node has made on buckets, and the calls that make them. Thread-safe. */
final class BucketClaims {
    /** The keys of the configured number of buckets. */
    private final RedisKeys keys;

    private final BucketCount layout;
    private final BucketCalls calls;
    /** The claim of the youngest term, by bucket. */
    private final Map<Integer, Claim> claims = new ConcurrentHashMap<>();

    BucketClaims(RedisKeys keys, BucketCount layout, BucketCalls calls) {
        this.keys = keys;
        this.layout = layout;
        this.calls = calls;
    }

    long highestEpoch() {
        long highest = 0;
        for (Object epoch : calls.runAll(gets(layout.agreed()))) {
            highest = epoch == null ? highest : Math.max(highest, Claim.epochOf(epoch));
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

    /**
     * Whether the last claim of the message's bucket was made on the process that holds the bucket now, and its leader has said what is in
     * delivery.
     */
    boolean isClaimed(String id) {
        RedisKeys agreed = layout.agreed();
        BucketKeys bucket = agreed.of(agreed.bucketOf(id));
        String server = calls.serverOf(bucket);
        // In this order: a claim between the two takes the entry out.
        Object[] replies = calls.runAll(List.of(
                RedisCall.command("GET", bucket.epoch).onlyTo(server),
                RedisReads.nameless(bucket).onlyTo(server)));
        return replies[0] != null && Claim.isOn(server, replies[0]) && replies[1] != null;
    }

    private static List<RedisCall> gets(RedisKeys keys) {
        List<RedisCall> gets = new ArrayList<>();
        for (int bucket = 0; bucket < keys.buckets(); bucket++) {
            gets.add(RedisCall.command("GET", keys.of(bucket).epoch));
        }
        return gets;
    }

    /** The last claim of this leader on the bucket. */
    Claim claimOf(int bucket, long epoch) {
        Claim claim = claims.get(bucket);
        return claim != null && claim.epoch() == epoch ? claim : Claim.none(epoch);
    }

    /**
     * Claims the bucket on the process that holds it now. From now on, only this process gets the term's calls. A process
     * that takes its place, restarted or promoted, may be older. It gets no calls before the leader claims the bucket on
     * it, and the claim then finds that it is another process.
     */
    ClaimResult claim(BucketKeys bucket, long epoch) {
        layout.adopt(epoch);
        String server = calls.serverOf(bucket);
        Claim claiming = new Claim(epoch, Long.toString(epoch), server);
        byte[][] scriptKeys = {bucket.epoch, bucket.restoring, bucket.closed, bucket.lease};
        List<?> reply = Replies.list(calls.run(
                bucket, claiming, LuaScript.CLAIM, scriptKeys, claiming.anyOfTheTerm(), Replies.bytes(server)));
        Claim claimed = new Claim(epoch, Replies.text(reply.get(0)), server);
        claims.merge(bucket.bucket, claimed, (old, now) -> old.epoch() > now.epoch() ? old : now);
        return ClaimResult.valueOf(Replies.text(reply.get(1)));
    }

    void markRestored(BucketKeys bucket, long epoch, ClaimResult what) {
        Claim claim = claimOf(bucket.bucket, epoch);
        byte[][] scriptKeys = {bucket.epoch, bucket.restoring};
        calls.run(bucket, claim, LuaScript.MARK_RESTORED, scriptKeys, claim.anyOfTheTerm(), Replies.bytes(what.name()));
    }
}
