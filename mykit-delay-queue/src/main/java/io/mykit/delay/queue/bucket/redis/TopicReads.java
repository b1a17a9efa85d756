package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.TopicCensus;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads of topics over all buckets, pipelined. Thread-safe. */
final class TopicReads {
    /** The numbers of a topic in the reply of {@code topics.lua}. */
    private static final int COUNTS = 3;

    private static final Comparator<DelayMessage> DUE_ORDER = Comparator.comparingLong(DelayMessage::dueTimeMs)
            .thenComparing(DelayMessage::priority, Comparator.reverseOrder());

    private final BucketCount layout;
    private final BucketCalls calls;

    TopicReads(BucketCount layout, BucketCalls calls) {
        this.layout = layout;
        this.calls = calls;
    }

    Map<Integer, Long> ready(String topic) {
        Object[] lengths = each(layout.agreed(), bucket -> RedisCall.command("LLEN", bucket.ready(topic)));
        Map<Integer, Long> ready = new TreeMap<>();
        for (int bucket = 0; bucket < lengths.length; bucket++) {
            long length = Replies.number(lengths[bucket]);
            if (length > 0) {
                ready.put(bucket, length);
            }
        }
        return ready;
    }

    Map<Integer, Set<String>> readyTopics() {
        RedisKeys keys = layout.agreed();
        List<BucketKeys> buckets =
                IntStream.range(0, keys.buckets()).mapToObj(keys::of).toList();
        Object[] replies = calls.runEach(
                buckets,
                buckets.stream()
                        .map(bucket -> RedisCall.command("SMEMBERS", bucket.topics))
                        .toList());
        Map<Integer, Set<String>> ready = new TreeMap<>();
        RuntimeException failure = null;
        int silent = 0;
        for (int bucket = 0; bucket < replies.length; bucket++) {
            if (replies[bucket] instanceof RuntimeException e) {
                failure = e;
                silent++;
                continue;
            }
            Set<String> names =
                    Replies.list(replies[bucket]).stream().map(Replies::text).collect(Collectors.toSet());
            if (!names.isEmpty()) {
                ready.put(bucket, names);
            }
        }
        if (failure != null && silent == replies.length) {
            throw failure;
        }
        return ready;
    }

    List<TopicCensus> topics(String prefix, String after, int limit) {
        RedisKeys keys = layout.agreed();
        return topics(
                keys,
                names(keys).stream()
                        .filter(name -> name.startsWith(prefix) && name.compareTo(after) > 0)
                        .limit(limit)
                        .toList());
    }

    List<TopicCensus> topics(List<String> topics) {
        return topics(layout.agreed(), topics);
    }

    private List<TopicCensus> topics(RedisKeys keys, List<String> topics) {
        byte[][] arguments = topics.stream().map(Replies::bytes).toArray(byte[][]::new);
        long[] sums = new long[COUNTS * topics.size()];
        for (Object counts :
                each(keys, bucket -> BucketCalls.call(LuaScript.TOPICS, new byte[][] {bucket.heads}, arguments))) {
            List<?> numbers = Replies.list(counts);
            IntStream.range(0, sums.length).forEach(i -> sums[i] += Replies.number(numbers.get(i)));
        }
        return IntStream.range(0, topics.size())
                .mapToObj(i -> census(topics.get(i), sums[COUNTS * i], sums[COUNTS * i + 1], sums[COUNTS * i + 2]))
                .toList();
    }

    /** A held message waits, too, save for receipts that the loss of a key left behind. */
    private static TopicCensus census(String topic, long waitingOrHeld, long ready, long receipts) {
        long held = Math.min(receipts, waitingOrHeld);
        return new TopicCensus(topic, waitingOrHeld - held, ready, held);
    }

    private SortedSet<String> names(RedisKeys keys) {
        SortedSet<String> names = new TreeSet<>();
        byte[] first = Replies.bytes(0);
        byte[] last = Replies.bytes(-1);
        for (Object some : each(keys, bucket -> RedisCall.command("ZRANGE", bucket.heads, first, last))) {
            Replies.list(some).forEach(name -> names.add(Replies.text(name)));
        }
        for (Object some : each(keys, bucket -> RedisCall.command("SMEMBERS", bucket.topics))) {
            Replies.list(some).forEach(name -> names.add(Replies.text(name)));
        }
        return names;
    }

    List<DelayMessage> peek(String topic, Location where, int limit) {
        if (where != Location.READY && where != Location.WAITING) {
            throw new IllegalArgumentException("messages in the place " + where + " have no order");
        }
        if (limit < 1) {
            return List.of();
        }
        RedisKeys keys = layout.agreed();
        byte[] topicName = Replies.bytes(topic);
        byte[] place = Replies.bytes(where == Location.READY ? "R" : "W");
        byte[] most = Replies.bytes(limit);
        byte[] share = BucketScan.share(keys.buckets());
        Object[] replies = each(keys, bucket -> {
            byte[][] scriptKeys = {bucket.ready(topic), bucket.waiting(topic), bucket.lease, bucket.pool};
            return BucketCalls.call(LuaScript.PEEK, scriptKeys, topicName, place, most, share);
        });
        List<DelayMessage> first = new ArrayList<>();
        for (int bucket = 0; bucket < replies.length; bucket++) {
            first.addAll(TakenMessages.read(bucket, Replies.list(replies[bucket]), 0));
        }
        return first.stream().sorted(DUE_ORDER).limit(limit).toList();
    }

    private Object[] each(RedisKeys keys, Function<BucketKeys, RedisCall> callOf) {
        List<Integer> buckets = IntStream.range(0, keys.buckets()).boxed().toList();
        return calls.runAll(buckets.stream().map(keys::of).map(callOf).toList(), buckets);
    }
}
