package io.mykit.delay.queue.bucket.redis;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.mykit.delay.queue.bucket.NodeNotes;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The notes of the nodes on Redis. Their keys have the hash tag of the queue, and so one slot on Redis Cluster. Thread-safe.
 */
final class RedisNodeNotes implements NodeNotes {
    private static final byte[] LAST = Replies.bytes(-1);
    private static final int PAGE = 1000;

    private final RedisKeys keys;
    private final BucketCalls calls;

    RedisNodeNotes(RedisKeys keys, BucketCalls calls) {
        this.keys = keys;
        this.calls = calls;
    }

    @Override
    public void write(String node, String text, String sample, long oldestMs) {
        byte[][] scriptKeys = {keys.notes(), keys.samples(node)};
        calls.run(BucketCalls.call(
                LuaScript.NOTE,
                scriptKeys,
                Replies.bytes(node),
                Replies.bytes(text),
                Replies.bytes(sample),
                Replies.bytes(oldestMs)));
    }

    @Override
    public Set<String> stops(String node) {
        byte[] key = keys.stops(node);
        List<?> asked = Replies.list(calls.run(RedisCall.command("SMEMBERS", key)));
        if (!asked.isEmpty()) {
            byte[][] words = new byte[asked.size() + 1][];
            words[0] = key;
            for (int i = 0; i < asked.size(); i++) {
                words[i + 1] = (byte[]) asked.get(i);
            }
            calls.run(RedisCall.command("SREM", words));
        }
        return asked.stream().map(Replies::text).collect(toUnmodifiableSet());
    }

    @Override
    public Map<String, String> all() {
        Map<String, String> notes = new HashMap<>();
        String cursor = HashPage.END;
        HashPage page;
        do {
            page = HashPage.read(calls, keys.notes(), cursor, PAGE);
            cursor = page.cursor();
            List<?> fields = page.fields();
            for (int i = 0; i < fields.size(); i += 2) {
                notes.put(Replies.text(fields.get(i)), Replies.text(fields.get(i + 1)));
            }
        } while (!page.isLast());
        return notes;
    }

    @Override
    public Map<String, List<String>> samples(Map<String, Integer> lengths) {
        List<String> nodes = List.copyOf(lengths.keySet());
        List<RedisCall> reads = new ArrayList<>();
        for (String node : nodes) {
            byte[] first = Replies.bytes(-lengths.get(node));
            reads.add(RedisCall.command("LRANGE", keys.samples(node), first, LAST));
        }
        Object[] replies = calls.runAll(reads);
        Map<String, List<String>> samples = new LinkedHashMap<>();
        for (int i = 0; i < replies.length; i++) {
            samples.put(
                    nodes.get(i),
                    Replies.list(replies[i]).stream().map(Replies::text).toList());
        }
        return samples;
    }

    @Override
    public void stop(String node, String work) {
        calls.run(BucketCalls.call(LuaScript.STOP, new byte[][] {keys.stops(node)}, Replies.bytes(work)));
    }
}
