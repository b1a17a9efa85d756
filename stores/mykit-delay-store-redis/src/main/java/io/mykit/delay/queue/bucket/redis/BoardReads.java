package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.TopicCount;
import io.mykit.delay.queue.bucket.TopicCounts;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Counts all topics over all buckets, a slice at a time, so that no call holds Redis up for long. Thread-safe. */
final class BoardReads {
    /** The topics that one script counts. */
    private static final int SLICE = 500;
    /** The topics that one script counts for metrics: the node has little room for the first messages of many topics. */
    private static final int FEW = 50;
    /** The names that one command reads. */
    private static final int PAGE = 1000;
    /** The values of a topic in the reply of {@code board.lua}. */
    private static final int VALUES = 6;

    private static final int SCORE = 3;
    private static final int ID = 4;
    private static final int VALUE = 5;
    /** The parts of a pool value before the body fit; the body is not needed. */
    private static final byte[] HEAD_BYTES = Replies.bytes(10_000);

    private static final byte[] MAX_LEASED = Replies.bytes(1000);

    private final BucketCount layout;
    private final BucketCalls calls;

    BoardReads(BucketCount layout, BucketCalls calls) {
        this.layout = layout;
        this.calls = calls;
    }

    TopicCounts counts(int most) {
        RedisKeys keys = layout.agreed();
        Map<String, Long> leased = leased(keys);
        SortedSet<String> names = new TreeSet<>(leased.keySet());
        for (int bucket = 0; bucket < keys.buckets() && names.size() <= most; bucket++) {
            addWaiting(keys.of(bucket), most, names);
            Object ready = calls.run(RedisCall.command("SMEMBERS", keys.of(bucket).topics));
            Replies.list(ready).forEach(name -> names.add(Replies.text(name)));
        }
        List<String> topics = names.stream().limit(most).toList();
        return new TopicCounts(counts(keys, topics, SLICE, leased), topics.size() == names.size());
    }

    List<TopicCount> counts(List<String> topics) {
        return counts(layout.agreed(), topics, FEW, Map.of());
    }

    private List<TopicCount> counts(RedisKeys keys, List<String> topics, int together, Map<String, Long> leased) {
        List<TopicCount> counts = new ArrayList<>(topics.size());
        for (int from = 0; from < topics.size(); from += together) {
            counts.addAll(slice(keys, topics.subList(from, Math.min(topics.size(), from + together)), leased));
        }
        return counts;
    }

    private void addWaiting(BucketKeys bucket, int most, SortedSet<String> names) {
        List<?> page;
        int from = 0;
        do {
            byte[][] range = {bucket.heads, Replies.bytes(from), Replies.bytes(from + PAGE - 1)};
            page = Replies.list(calls.run(RedisCall.command("ZRANGE", range)));
            page.forEach(name -> names.add(Replies.text(name)));
            from += PAGE;
        } while (page.size() == PAGE && names.size() <= most);
    }

    private Map<String, Long> leased(RedisKeys keys) {
        byte[] share = BucketScan.share(keys.buckets());
        Map<String, Long> leased = new HashMap<>();
        for (Object reply : calls.runOnAll(
                keys,
                bucket -> BucketCalls.call(
                        LuaScript.LEASED_TOPICS, new byte[][] {bucket.lease, bucket.pool}, MAX_LEASED, share))) {
            List<?> counts = Replies.list(reply);
            for (int i = 0; i < counts.size(); i += 2) {
                leased.merge(Replies.text(counts.get(i)), Replies.number(counts.get(i + 1)), Long::sum);
            }
        }
        return leased;
    }

    private List<TopicCount> slice(RedisKeys keys, List<String> topics, Map<String, Long> leased) {
        byte[][] arguments = new byte[topics.size() + 1][];
        arguments[0] = HEAD_BYTES;
        for (int i = 0; i < topics.size(); i++) {
            arguments[i + 1] = Replies.bytes(topics.get(i));
        }
        Object[] replies = calls.runOnAll(
                keys, bucket -> BucketCalls.call(LuaScript.BOARD, new byte[][] {bucket.heads, bucket.pool}, arguments));
        return IntStream.range(0, topics.size())
                .mapToObj(i -> count(topics.get(i), i * VALUES, replies, leased))
                .toList();
    }

    private static TopicCount count(String topic, int at, Object[] replies, Map<String, Long> leased) {
        long waitingOrHeld = 0;
        long ready = 0;
        long receipts = 0;
        long oldestMs = Long.MAX_VALUE;
        for (Object reply : replies) {
            List<?> values = Replies.list(reply);
            waitingOrHeld += Replies.number(values.get(at));
            ready += Replies.number(values.get(at + 1));
            receipts += Replies.number(values.get(at + 2));
            oldestMs = Math.min(oldestMs, Math.min(scoreMs(values.get(at + SCORE)), firstReadyMs(values, at)));
        }
        // A held message waits, too, save for receipts that the loss of a key left behind.
        long held = Math.min(receipts, waitingOrHeld);
        return new TopicCount(
                topic,
                waitingOrHeld - held,
                ready,
                held,
                leased.getOrDefault(topic, 0L),
                oldestMs == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(oldestMs));
    }

    private static long scoreMs(Object score) {
        String text = Replies.text(score);
        // The fraction of the score is the priority.
        return text.isEmpty() ? Long.MAX_VALUE : (long) Math.floor(Double.parseDouble(text));
    }

    private static long firstReadyMs(List<?> values, int at) {
        byte[] head = (byte[]) values.get(at + VALUE);
        if (head.length == 0) {
            return Long.MAX_VALUE;
        }
        try {
            return MessageCodec.decode(StoredIds.text(values.get(at + ID)), head)
                    .dueTimeMs();
        } catch (IllegalArgumentException ofANewerVersion) {
            return Long.MAX_VALUE;
        }
    }
}
