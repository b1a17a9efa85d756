package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;

/** Moves due messages of a bucket. Thread-safe. */
final class BucketScan {
    /** The bound on the bytes of pool values that one script reads. */
    static final byte[] MAX_BYTES = share(1);

    /** The share of this bound for one bucket, if a batch or a scan takes from so many buckets. */
    static byte[] share(int buckets) {
        return Replies.bytes(BodyBounds.TOGETHER / buckets);
    }

    /** Ends the excluded topics; no topic is empty. */
    private static final byte[] END_OF_TOPICS = {};

    private final BucketCalls calls;
    private final Wakes wakes;
    private final LongSupplier latestDueMicros;

    /** @param latestDueMicros see {@link io.mykit.delay.common.time.ClusterClock#latestDueMicros()} */
    BucketScan(BucketCalls calls, Wakes wakes, LongSupplier latestDueMicros) {
        this.calls = calls;
        this.wakes = wakes;
        this.latestDueMicros = latestDueMicros;
    }

    /** One script for each bucket, pipelined. The claims are in the order of the buckets. */
    List<Answer<ScanResult>> moveDue(List<BucketKeys> buckets, List<Claim> claims, int limit, Handover handover) {
        byte[] share = share(buckets.size());
        byte[] latestDue = Replies.bytes(latestDueMicros.getAsLong());
        List<RedisCall> scans = new ArrayList<>(buckets.size());
        for (int i = 0; i < buckets.size(); i++) {
            BucketKeys keys = buckets.get(i);
            Claim claim = claims.get(i);
            List<byte[]> arguments = new ArrayList<>();
            arguments.add(claim.exactly());
            arguments.add(Replies.bytes(limit));
            arguments.add(share);
            arguments.add(Replies.bytes(handover.lease().toMillis()));
            arguments.add(Replies.bytes(handover.limit()));
            arguments.add(latestDue);
            handover.except().forEach(topic -> arguments.add(Replies.bytes(topic)));
            addPulled(handover.pulled(), keys.bucket, arguments);
            byte[][] scriptKeys = {keys.epoch, keys.heads, keys.pool, keys.topics, keys.lease};
            scans.add(BucketCalls.call(LuaScript.MOVE_DUE, scriptKeys, arguments.toArray(byte[][]::new))
                    .onlyTo(claim.server()));
        }
        return calls.askEach(buckets, scans, (keys, reply) -> result(keys, Replies.list(reply), handover));
    }

    private ScanResult result(BucketKeys keys, List<?> reply, Handover handover) {
        Set<String> filled = new HashSet<>();
        Replies.list(reply.get(3)).forEach(topic -> filled.add(Replies.text(topic)));
        filled.stream().filter(handover.pulled()::contains).forEach(topic -> wakes.tellReady(keys.bucket, topic));
        List<DelayMessage> taken = TakenMessages.read(keys.bucket, Replies.list(reply.get(4)), 0);
        return new ScanResult(
                (int) Replies.number(reply.get(0)),
                filled,
                taken,
                Replies.number(reply.get(1)),
                Replies.number(reply.get(2)));
    }

    /** Adds nothing if consumers pull no topic. */
    private void addPulled(PulledTopics pulled, int bucket, List<byte[]> arguments) {
        if (pulled.isEmpty()) {
            return;
        }
        arguments.add(END_OF_TOPICS);
        arguments.add(wakes.channel());
        arguments.add(wakes.notice(bucket));
        for (PulledTopics.Rule rule : pulled.rules()) {
            String kind = rule.beginning() ? "b" : "e";
            arguments.add(Replies.bytes((rule.pulled() ? kind.toUpperCase(Locale.ROOT) : kind) + rule.text()));
        }
    }
}
