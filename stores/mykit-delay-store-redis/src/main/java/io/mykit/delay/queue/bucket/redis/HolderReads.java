package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.HeldMessage;
import io.mykit.delay.queue.bucket.Hold;
import io.mykit.delay.queue.bucket.HoldReceipt;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads of the holds of a topic over all buckets, pipelined, for people. Each looks at a bounded number of them. Thread-safe. */
final class HolderReads {
    private static final byte[] COUNT = Replies.bytes("COUNT");
    /** The values of a hold in the reply of a script: id, end, receipt. */
    private static final int PARTS = 3;

    private final BucketCount layout;
    private final BucketCalls calls;

    HolderReads(BucketCount layout, BucketCalls calls) {
        this.layout = layout;
        this.calls = calls;
    }

    List<HeldMessage> held(String topic, int limit) {
        if (limit < 1) {
            return List.of();
        }
        RedisKeys keys = layout.agreed();
        byte[] topicName = Replies.bytes(topic);
        byte[] most = Replies.bytes(limit);
        byte[] share = BucketScan.share(keys.buckets());
        Object[] replies = calls.runOnAll(keys, bucket -> {
            byte[][] scriptKeys = {bucket.held(topic), bucket.waiting(topic), bucket.pool};
            return BucketCalls.call(LuaScript.PEEK_HELD, scriptKeys, topicName, most, share);
        });
        List<HeldMessage> held = new ArrayList<>();
        for (int bucket = 0; bucket < replies.length; bucket++) {
            List<?> reply = Replies.list(replies[bucket]);
            Map<String, Hold> holds = holds(Replies.list(reply.get(1)));
            for (DelayMessage message : TakenMessages.read(bucket, Replies.list(reply.get(0)), 0)) {
                held.add(new HeldMessage(message, holds.get(message.id())));
            }
        }
        return held.stream()
                .sorted(Comparator.comparingLong(each -> each.hold().untilMs()))
                .limit(limit)
                .toList();
    }

    List<HoldReceipt> receipts(String topic, int most) {
        RedisKeys keys = layout.agreed();
        byte[] share = Replies.bytes(Math.max(1, most / keys.buckets()));
        Object[] replies = calls.runOnAll(
                keys,
                bucket -> RedisCall.command("HSCAN", bucket.held(topic), Replies.bytes(HashPage.END), COUNT, share));
        List<HoldReceipt> receipts = new ArrayList<>();
        for (Object reply : replies) {
            List<?> fields = Replies.list(Replies.list(reply).get(1));
            for (int i = 1; i < fields.size(); i += 2) {
                HoldReceipt.read(Replies.text(fields.get(i))).ifPresent(receipts::add);
            }
        }
        return receipts;
    }

    /** By id, of a reply with id, end and receipt of each hold. */
    static Map<String, Hold> holds(List<?> reply) {
        Map<String, Hold> holds = new HashMap<>();
        for (int i = 0; i < reply.size(); i += PARTS) {
            Optional<HoldReceipt> receipt = HoldReceipt.read(Replies.text(reply.get(i + 2)));
            holds.put(StoredIds.text(reply.get(i)), new Hold(Replies.number(reply.get(i + 1)), receipt));
        }
        return holds;
    }
}
