package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Hands out messages of ready lists to consumers. Thread-safe. */
final class HandOuts {
    private static final String CLOSED = "C";
    private static final String SUSPECT = "S";
    /** The index of the first id in a reply. */
    private static final int FIRST_ID = 4;

    private final BucketCount layout;
    private final BucketCalls calls;
    private final Wakes wakes;

    HandOuts(BucketCount layout, BucketCalls calls, Wakes wakes) {
        this.layout = layout;
        this.calls = calls;
        this.wakes = wakes;
    }

    List<Handout> run(Collection<Integer> buckets, String topic, Portion each, Duration hold, String receipt) {
        RedisKeys keys;
        try {
            keys = layout.agreed();
        } catch (IndexUnavailableException e) {
            return buckets.stream().map(bucket -> Handout.failed(bucket, e)).toList();
        }
        // After a change of their number, a caller may ask for buckets that are not there any more.
        List<BucketKeys> from = buckets.stream()
                .filter(bucket -> bucket < keys.buckets())
                .map(keys::of)
                .toList();
        byte[] topicName = Replies.bytes(topic);
        byte[] most = Replies.bytes(each.messages());
        byte[] share = Replies.bytes(each.bytes());
        byte[] anySize = Replies.bytes(each.atLeastOne() ? 1 : 0);
        byte[] holdMs = Replies.bytes(hold.toMillis());
        byte[] receiptText = Replies.bytes(receipt);
        List<RedisCall> scripts = new ArrayList<>(from.size());
        for (BucketKeys bucket : from) {
            byte[][] scriptKeys = {
                bucket.ready(topic),
                bucket.topics,
                bucket.lease,
                bucket.pool,
                bucket.waiting(topic),
                bucket.heads,
                bucket.epoch,
                bucket.restoring,
                bucket.closed
            };
            scripts.add(BucketCalls.call(
                    LuaScript.HAND_OUT,
                    scriptKeys,
                    topicName,
                    most,
                    share,
                    holdMs,
                    receiptText,
                    wakes.channel(),
                    wakes.notice(bucket.bucket),
                    anySize));
        }
        Object[] replies = calls.runEach(from, scripts);
        List<Handout> handouts = new ArrayList<>(replies.length);
        for (int i = 0; i < replies.length; i++) {
            int bucket = from.get(i).bucket;
            handouts.add(
                    replies[i] instanceof RuntimeException failure
                            ? Handout.failed(bucket, failure)
                            : handout(bucket, Replies.list(replies[i])));
        }
        return handouts;
    }

    private static Map<String, Integer> handed(List<?> reply) {
        Map<String, Integer> handed = new HashMap<>();
        for (int i = FIRST_ID; i < reply.size(); i += 2) {
            int times = MessageCodec.handed((byte[]) reply.get(i + 1));
            if (times > 0) {
                handed.put(StoredIds.text(reply.get(i)), times);
            }
        }
        return handed;
    }

    private Handout handout(int bucket, List<?> reply) {
        String state = Replies.text(reply.get(0));
        if (state.equals(CLOSED)) {
            layout.doubt();
        }
        if (Replies.number(reply.get(3)) == 1) {
            wakes.tell(bucket);
        }
        List<DelayMessage> messages = TakenMessages.read(bucket, reply, FIRST_ID);
        return new Handout(
                bucket,
                messages,
                handed(reply),
                Replies.number(reply.get(2)),
                Replies.number(reply.get(1)) == 1,
                state.equals(SUSPECT),
                null);
    }
}
