package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.TopicCensus;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads of topics over all buckets, pipelined. Thread-safe. */
final class TopicReads {
    /** The numbers of a topic in the reply of {@code topics.lua}. */
    private static final int COUNTS = 3;

    /** The topics that one script counts. */
    private static final int SLICE = 500;

    private static final byte[] MATCH = Replies.bytes("MATCH");
    private static final byte[] COUNT = Replies.bytes("COUNT");
    /** The names that Redis looks at in one command, about. */
    private static final byte[] PAGE = Replies.bytes(1000);
    /** The characters that stand for others in a pattern of Redis. */
    private static final Pattern PATTERN_SIGNS = Pattern.compile("[*?\\[\\\\]");

    private static final Comparator<DelayMessage> DUE_ORDER = Comparator.comparingLong(DelayMessage::dueTimeMs)
            .thenComparing(DelayMessage::priority, Comparator.reverseOrder());

    private final BucketCount layout;
    private final BucketCalls calls;

    TopicReads(BucketCount layout, BucketCalls calls) {
        this.layout = layout;
        this.calls = calls;
    }

    Map<Integer, Long> ready(String topic) {
        Object[] lengths = calls.runOnAll(layout.agreed(), bucket -> RedisCall.command("LLEN", bucket.ready(topic)));
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
        return topics(names(List.of(prefix)).stream()
                .filter(name -> name.compareTo(after) > 0)
                .sorted()
                .limit(limit)
                .toList());
    }

    /** A part of the topics at a time: a script that counts very many would hold Redis up. */
    List<TopicCensus> topics(List<String> topics) {
        RedisKeys keys = layout.agreed();
        List<TopicCensus> counted = new ArrayList<>(topics.size());
        for (int from = 0; from < topics.size(); from += SLICE) {
            counted.addAll(slice(keys, topics.subList(from, Math.min(topics.size(), from + SLICE))));
        }
        return counted;
    }

    private List<TopicCensus> slice(RedisKeys keys, List<String> topics) {
        byte[][] arguments = topics.stream().map(Replies::bytes).toArray(byte[][]::new);
        long[] sums = new long[COUNTS * topics.size()];
        for (Object counts : calls.runOnAll(
                keys, bucket -> BucketCalls.call(LuaScript.TOPICS, new byte[][] {bucket.heads}, arguments))) {
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

    Set<String> names(Collection<String> beginnings) {
        RedisKeys keys = layout.agreed();
        Set<String> names = new HashSet<>();
        for (String beginning : beginnings) {
            byte[] pattern = Replies.bytes(PATTERN_SIGNS.matcher(beginning).replaceAll("\\\\$0") + "*");
            scan(
                    keys,
                    (bucket, cursor) -> RedisCall.command("ZSCAN", bucket.heads, cursor, MATCH, pattern, COUNT, PAGE),
                    2,
                    names::add);
            scan(
                    keys,
                    (bucket, cursor) -> RedisCall.command("SSCAN", bucket.topics, cursor, MATCH, pattern, COUNT, PAGE),
                    1,
                    names::add);
        }
        return names;
    }

    /**
     * Reads the members of a key in all buckets, a page of each bucket at a time.
     *
     * @param pageOf reads the page at a cursor
     * @param step the values of a member in a page: the first one is the member
     */
    private void scan(
            RedisKeys keys, BiFunction<BucketKeys, byte[], RedisCall> pageOf, int step, Consumer<String> found) {
        Map<Integer, String> cursors = new TreeMap<>();
        IntStream.range(0, keys.buckets()).forEach(bucket -> cursors.put(bucket, HashPage.END));
        while (!cursors.isEmpty()) {
            List<Integer> buckets = List.copyOf(cursors.keySet());
            List<RedisCall> pages = buckets.stream()
                    .map(bucket -> pageOf.apply(keys.of(bucket), Replies.bytes(cursors.get(bucket))))
                    .toList();
            Object[] replies = calls.runAll(pages, buckets);
            for (int i = 0; i < replies.length; i++) {
                List<?> page = Replies.list(replies[i]);
                List<?> members = Replies.list(page.get(1));
                for (int at = 0; at < members.size(); at += step) {
                    found.accept(Replies.text(members.get(at)));
                }
                String cursor = Replies.text(page.get(0));
                if (cursor.equals(HashPage.END)) {
                    cursors.remove(buckets.get(i));
                } else {
                    cursors.put(buckets.get(i), cursor);
                }
            }
        }
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
        Object[] replies = calls.runOnAll(keys, bucket -> {
            byte[][] scriptKeys = {bucket.ready(topic), bucket.waiting(topic), bucket.lease, bucket.pool};
            return BucketCalls.call(LuaScript.PEEK, scriptKeys, topicName, place, most, share);
        });
        List<DelayMessage> first = new ArrayList<>();
        for (int bucket = 0; bucket < replies.length; bucket++) {
            first.addAll(TakenMessages.read(bucket, Replies.list(replies[bucket]), 0));
        }
        return first.stream().sorted(DUE_ORDER).limit(limit).toList();
    }
}
