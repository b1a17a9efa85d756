package io.mykit.delay.queue.bucket.redis;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.mykit.delay.queue.bucket.NodeNotes;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The notes of the nodes on Redis. Their keys have the hash tag of the queue, and so one slot on Redis Cluster. Thread-safe.
 */
final class RedisNodeNotes implements NodeNotes {
    private static final byte[] FIRST = Replies.bytes(0);
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
        return texts(
                List.copyOf(lengths.keySet()),
                node -> RedisCall.command("LRANGE", keys.samples(node), Replies.bytes(-lengths.get(node)), LAST));
    }

    @Override
    public void writeMinutes(String node, Map<String, String> samples) {
        byte[][] scriptKeys = new byte[samples.size()][];
        byte[][] texts = new byte[samples.size()][];
        int i = 0;
        for (Map.Entry<String, String> sample : samples.entrySet()) {
            scriptKeys[i] = keys.minutes(node, sample.getKey());
            texts[i++] = Replies.bytes(sample.getValue());
        }
        calls.run(BucketCalls.call(LuaScript.MINUTES, scriptKeys, texts));
    }

    @Override
    public Map<String, List<String>> minutes(Collection<String> nodes, String topic) {
        return texts(List.copyOf(nodes), node -> RedisCall.command("LRANGE", keys.minutes(node, topic), FIRST, LAST));
    }

    private Map<String, List<String>> texts(List<String> nodes, Function<String, RedisCall> read) {
        Object[] replies = calls.runAll(nodes.stream().map(read).toList());
        Map<String, List<String>> texts = new LinkedHashMap<>();
        for (int i = 0; i < replies.length; i++) {
            texts.put(
                    nodes.get(i),
                    Replies.list(replies[i]).stream().map(Replies::text).toList());
        }
        return texts;
    }

    @Override
    public void writeCalls(CallEnd end, List<String> texts) {
        byte[][] arguments = texts.stream().map(Replies::bytes).toArray(byte[][]::new);
        calls.run(BucketCalls.call(LuaScript.CALLS, new byte[][] {key(end)}, arguments));
    }

    @Override
    public List<String> calls(CallEnd end) {
        return Replies.list(calls.run(RedisCall.command("LRANGE", key(end), FIRST, LAST))).stream()
                .map(Replies::text)
                .toList();
    }

    private byte[] key(CallEnd end) {
        return end == CallEnd.ACTED ? keys.calls() : keys.refusals();
    }

    @Override
    public void stop(String node, String work) {
        calls.run(BucketCalls.call(LuaScript.STOP, new byte[][] {keys.stops(node)}, Replies.bytes(work)));
    }
}
