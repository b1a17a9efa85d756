package io.mykit.delay.queue.bucket.redis;

import static java.util.stream.Collectors.toSet;

import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.Census;
import io.mykit.delay.queue.bucket.NearCount;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Reads of one bucket. Thread-safe. */
final class RedisReads {
    private static final byte[] FIRST = Replies.bytes(0);
    private static final byte[] LAST = Replies.bytes(-1);
    private static final byte[] COUNT = Replies.bytes("COUNT");
    private static final byte[] PAGE = Replies.bytes(1000);
    private static final byte[] WITH_SCORES = Replies.bytes("WITHSCORES");

    private final BucketCalls calls;

    RedisReads(BucketCalls calls) {
        this.calls = calls;
    }

    /**
     * Reads with two plain commands for each bucket, because a script would be more work for Redis. A new leader may come in
     * between the two. This does no harm, because the call changes nothing.
     *
     * @param claims in the order of the buckets
     */
    List<Answer<Long>> nextDue(List<BucketKeys> buckets, List<Claim> claims) {
        List<BucketKeys> asked = new ArrayList<>(2 * buckets.size());
        List<RedisCall> questions = new ArrayList<>(2 * buckets.size());
        for (int i = 0; i < buckets.size(); i++) {
            BucketKeys bucket = buckets.get(i);
            String server = claims.get(i).server();
            asked.addAll(List.of(bucket, bucket));
            questions.add(RedisCall.command("GET", bucket.epoch).onlyTo(server));
            questions.add(RedisCall.command("ZRANGE", bucket.heads, FIRST, FIRST, WITH_SCORES)
                    .onlyTo(server));
        }
        Object[] replies = calls.runEach(asked, questions);
        List<Answer<Long>> answers = new ArrayList<>(buckets.size());
        for (int i = 0; i < buckets.size(); i++) {
            Claim claim = claims.get(i);
            Object epoch = replies[2 * i];
            Object heads = replies[2 * i + 1];
            answers.add(BucketCalls.answer(
                    buckets.get(i), epoch instanceof RuntimeException ? epoch : heads, (keys, top) -> {
                        claim.check(keys.bucket, epoch);
                        return first(Replies.list(top));
                    }));
        }
        return answers;
    }

    private static long first(List<?> top) {
        // The fraction of the score is the priority.
        return top.isEmpty() ? -1 : (long) Math.floor(Double.parseDouble(Replies.text(top.get(1))));
    }

    /** Asks for the entry that is no lease (retake.lua). */
    static RedisCall nameless(BucketKeys bucket) {
        return RedisCall.command("ZSCORE", bucket.lease, new byte[0]);
    }

    NearCount near(RedisKeys keys) {
        List<RedisCall> counts = new ArrayList<>();
        for (int i = 0; i < keys.buckets(); i++) {
            BucketKeys bucket = keys.of(i);
            counts.add(RedisCall.command("HLEN", bucket.pool));
            counts.add(RedisCall.command("ZCARD", bucket.lease));
            counts.add(RedisCall.command("HLEN", bucket.parked));
            counts.add(nameless(bucket));
        }
        Object[] replies = calls.runAll(counts);
        long[] sums = new long[4];
        for (int i = 0; i < replies.length; i++) {
            boolean isScore = i % sums.length == 3;
            sums[i % sums.length] += isScore ? replies[i] == null ? 0 : 1 : Replies.number(replies[i]);
        }
        return new NearCount(sums[0], sums[1] - sums[3], sums[2]);
    }

    /** Each call uses one key, so that Redis Cluster answers while the bucket's slot moves to another shard. */
    Census census(BucketKeys bucket) {
        long waiting = Replies.number(calls.run(bucket, LuaScript.WAITING, new byte[][] {bucket.heads}));
        Map<String, Long> ready = ready(bucket);
        Object[] counts = calls.runAll(List.of(
                RedisCall.command("ZCARD", bucket.lease),
                RedisCall.command("HLEN", bucket.parked),
                RedisCall.command("HLEN", bucket.pool),
                RedisCall.command("GET", bucket.ghosts),
                nameless(bucket)));
        long leased = Replies.number(counts[0]) - (counts[4] == null ? 0 : 1);
        long due = ready.values().stream().mapToLong(Long::longValue).sum();
        long ghosts = counts[3] == null ? 0 : Long.parseLong(Replies.text(counts[3]));
        long strays = Math.max(0, Replies.number(counts[2]) - waiting - due - leased + ghosts);
        return new Census(waiting, ready, leased, Replies.number(counts[1]), strays);
    }

    /**
     * Reads the ids of waiting messages page by page, in no order. A message that waits all the time is in a page. A
     * message that comes or goes meanwhile may be in a page.
     */
    void forEachWaiting(BucketKeys bucket, Consumer<List<String>> pages) {
        Object topics = calls.run(RedisCall.command("ZRANGE", bucket.heads, FIRST, LAST));
        for (Object topic : Replies.list(topics)) {
            byte[] waiting = bucket.waiting(Replies.text(topic));
            String cursor = HashPage.END;
            do {
                List<?> page = Replies.list(
                        calls.run(RedisCall.command("ZSCAN", waiting, Replies.bytes(cursor), COUNT, PAGE)));
                cursor = Replies.text(page.get(0));
                List<?> members = Replies.list(page.get(1));
                List<String> ids = new ArrayList<>(members.size() / 2);
                for (int i = 0; i < members.size(); i += 2) {
                    ids.add(StoredIds.text(members.get(i)));
                }
                if (!ids.isEmpty()) {
                    pages.accept(ids);
                }
            } while (!cursor.equals(HashPage.END));
        }
    }

    Map<String, Long> ready(BucketKeys bucket) {
        List<String> topics = List.copyOf(readyTopics(bucket));
        Map<String, Long> ready = new LinkedHashMap<>();
        Object[] results = calls.runAll(topics.stream()
                .map(topic -> RedisCall.command("LLEN", bucket.ready(topic)))
                .toList());
        for (int i = 0; i < results.length; i++) {
            long length = Replies.number(results[i]);
            if (length > 0) {
                ready.put(topics.get(i), length);
            }
        }
        return ready;
    }

    Set<String> readyTopics(BucketKeys bucket) {
        return Replies.list(calls.run(RedisCall.command("SMEMBERS", bucket.topics))).stream()
                .map(Replies::text)
                .collect(toSet());
    }

    List<ParkedOutcome> parked(BucketKeys bucket, int limit) {
        List<ParkedOutcome> outcomes = new ArrayList<>();
        String cursor = HashPage.END;
        HashPage page;
        do {
            page = HashPage.read(calls, bucket.parked, cursor, limit);
            cursor = page.cursor();
            List<?> fields = page.fields();
            for (int i = 0; i < fields.size() && outcomes.size() < limit; i += 2) {
                outcomes.add(ParkedCodec.decode(StoredIds.text(fields.get(i)), (byte[]) fields.get(i + 1)));
            }
        } while (outcomes.isEmpty() && !page.isLast());
        return outcomes;
    }
}
