package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** What any node does with messages of which it knows the ids only. Thread-safe. */
final class IdScripts {
    /** Ids in one script call. */
    private static final int CHUNK_IDS = 1000;

    private final Layout layout;
    private final BucketCalls calls;

    IdScripts(Layout layout, BucketCalls calls) {
        this.layout = layout;
        this.calls = calls;
    }

    Removal remove(String id) {
        RedisKeys keys = layout.agreed();
        BucketKeys bucket = keys.of(keys.bucketOf(id));
        byte[][] scriptKeys = {bucket.pool, bucket.parked, bucket.heads};
        List<?> reply = Replies.list(calls.run(bucket, LuaScript.REMOVE, scriptKeys, StoredIds.bytes(id)));
        return switch (Replies.text(reply.get(0))) {
            case "R" -> new Removal(Removal.Kind.REMOVED, MessageCodec.decode(id, (byte[]) reply.get(1)));
            case "L" -> Removal.TOO_LATE;
            default -> Removal.UNKNOWN;
        };
    }

    Set<String> purge(Collection<String> ids) {
        Set<String> stayed = new HashSet<>();
        inBuckets(ids, LuaScript.PURGE, (chunk, reply) -> {
            for (Object id : Replies.list(reply)) {
                stayed.add(StoredIds.text(id));
            }
        });
        return stayed;
    }

    Map<String, Location> locate(Collection<String> ids) {
        Map<String, Location> places = new HashMap<>();
        inBuckets(ids, LuaScript.LOCATE, (chunk, reply) -> {
            byte[] letters = (byte[]) reply;
            for (int i = 0; i < letters.length; i++) {
                switch (letters[i]) {
                    case 'W' -> places.put(chunk.get(i), Location.WAITING);
                    case 'R' -> places.put(chunk.get(i), Location.READY);
                    case 'T' -> places.put(chunk.get(i), Location.TAKEN);
                    case 'P' -> places.put(chunk.get(i), Location.PARKED);
                    default -> {
                        // Unknown ids are absent.
                    }
                }
            }
        });
        return places;
    }

    /** Runs a script over ids, each in its bucket, pipelined; all or an exception. */
    private void inBuckets(Collection<String> ids, LuaScript script, BiConsumer<List<String>, Object> reader) {
        RedisKeys keys = layout.agreed();
        Map<Integer, List<String>> open = new HashMap<>();
        List<List<String>> chunks = new ArrayList<>();
        for (String id : ids) {
            int bucket = keys.bucketOf(id);
            List<String> chunk = open.computeIfAbsent(bucket, b -> new ArrayList<>());
            chunk.add(id);
            if (chunk.size() == CHUNK_IDS) {
                chunks.add(open.remove(bucket));
            }
        }
        chunks.addAll(open.values());
        Object[] replies = calls.runAll(
                chunks.stream().map(chunk -> call(keys, script, chunk)).toList());
        for (int i = 0; i < replies.length; i++) {
            reader.accept(chunks.get(i), replies[i]);
        }
    }

    private static RedisCall call(RedisKeys keys, LuaScript script, List<String> chunk) {
        BucketKeys bucket = keys.of(keys.bucketOf(chunk.get(0)));
        byte[][] scriptKeys = {bucket.pool, bucket.lease, bucket.parked, bucket.heads};
        return BucketCalls.call(
                script, scriptKeys, chunk.stream().map(StoredIds::bytes).toArray(byte[][]::new));
    }
}
