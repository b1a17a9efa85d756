package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** Moves due messages of a bucket. Thread-safe. */
final class BucketScan {
    /** The bound on the bytes of pool values that one script reads. */
    static final byte[] MAX_BYTES = share(1);

    /** The share of this bound for one bucket, if a batch takes from so many buckets. */
    static byte[] share(int buckets) {
        return Replies.bytes(BodyBounds.TOGETHER / buckets);
    }

    private final BucketCalls calls;
    private final LongSupplier latestDueMicros;

    /** @param latestDueMicros see {@link io.mykit.delay.common.time.ClusterClock#latestDueMicros()} */
    BucketScan(BucketCalls calls, LongSupplier latestDueMicros) {
        this.calls = calls;
        this.latestDueMicros = latestDueMicros;
    }

    ScanResult moveDue(BucketKeys keys, Claim claim, int limit, Handover handover) {
        byte[][] scriptKeys = {keys.epoch, keys.heads, keys.pool, keys.topics, keys.lease};
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(claim.exactly());
        arguments.add(Replies.bytes(limit));
        arguments.add(MAX_BYTES);
        arguments.add(Replies.bytes(handover.lease().toMillis()));
        arguments.add(Replies.bytes(handover.limit()));
        arguments.add(Replies.bytes(latestDueMicros.getAsLong()));
        handover.except().forEach(topic -> arguments.add(Replies.bytes(topic)));
        List<?> reply =
                Replies.list(calls.run(keys, claim, LuaScript.MOVE_DUE, scriptKeys, arguments.toArray(byte[][]::new)));
        Set<String> filled = new HashSet<>();
        Replies.list(reply.get(3)).forEach(topic -> filled.add(Replies.text(topic)));
        List<DelayMessage> taken = TakenMessages.read(keys.bucket, Replies.list(reply.get(4)), 0);
        return new ScanResult(
                (int) Replies.number(reply.get(0)),
                filled,
                taken,
                Replies.number(reply.get(1)),
                Replies.number(reply.get(2)));
    }
}
