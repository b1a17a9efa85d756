package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What any node does with messages of which it knows the ids only. Thread-safe. */
final class IdScripts {
    private static final Logger LOG = LoggerFactory.getLogger(IdScripts.class);
    /** Ids in one script call. */
    private static final int CHUNK_IDS = 1000;
    /** Longer than a change in the store may take: the wait for a connection, a statement and a commit. */
    private static final Duration VETO = Duration.ofSeconds(20);

    private final Layout layout;
    private final BucketCalls calls;

    IdScripts(Layout layout, BucketCalls calls) {
        this.layout = layout;
        this.calls = calls;
    }

    Removal remove(String id) {
        RedisKeys keys = layout.agreed();
        BucketKeys bucket = keys.of(keys.bucketOf(id));
        byte[][] scriptKeys = {bucket.pool, bucket.parked, bucket.heads, bucket.vetoes};
        List<?> reply = Replies.list(
                calls.run(bucket, LuaScript.REMOVE, scriptKeys, StoredIds.bytes(id), Replies.bytes(VETO.toMillis())));
        return switch (Replies.text(reply.get(0))) {
            case "R" -> new Removal(Removal.Kind.REMOVED, MessageCodec.decode(id, (byte[]) reply.get(1)));
            case "L" -> Removal.TOO_LATE;
            default -> Removal.UNKNOWN;
        };
    }

    Set<String> purge(Collection<String> ids) {
        return answered(ids, LuaScript.PURGE);
    }

    Set<String> unknown(Collection<String> ids) {
        return answered(ids, LuaScript.UNKNOWN);
    }

    Set<String> veto(Collection<String> ids) {
        return answered(ids, LuaScript.VETO, Replies.bytes(VETO.toMillis()));
    }

    void lift(String id) {
        try {
            RedisKeys keys = layout.agreed();
            calls.run(RedisCall.command("ZREM", keys.of(keys.bucketOf(id)).vetoes, StoredIds.bytes(id)));
        } catch (IndexUnavailableException e) {
            LOG.debug("The veto against message {} ends by itself", id, e);
        }
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

    private Set<String> answered(Collection<String> ids, LuaScript script, byte[]... before) {
        Set<String> answered = new HashSet<>();
        inBuckets(
                ids,
                script,
                (chunk, reply) -> {
                    for (Object id : Replies.list(reply)) {
                        answered.add(StoredIds.text(id));
                    }
                },
                before);
        return answered;
    }

    /**
     * Runs a script over ids, each in its bucket, pipelined; all or an exception.
     *
     * @param before the arguments before the ids
     */
    private void inBuckets(
            Collection<String> ids, LuaScript script, BiConsumer<List<String>, Object> reader, byte[]... before) {
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
                chunks.stream().map(chunk -> call(keys, script, chunk, before)).toList());
        for (int i = 0; i < replies.length; i++) {
            reader.accept(chunks.get(i), replies[i]);
        }
    }

    private static RedisCall call(RedisKeys keys, LuaScript script, List<String> chunk, byte[][] before) {
        BucketKeys bucket = keys.of(keys.bucketOf(chunk.get(0)));
        byte[][] scriptKeys = {bucket.pool, bucket.lease, bucket.parked, bucket.heads, bucket.vetoes};
        Stream<byte[]> ids = chunk.stream().map(StoredIds::bytes);
        return BucketCalls.call(
                script, scriptKeys, Stream.concat(Stream.of(before), ids).toArray(byte[][]::new));
    }
}
