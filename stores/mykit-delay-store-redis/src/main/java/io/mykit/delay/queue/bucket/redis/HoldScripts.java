package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.Hold;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.ParkedOutcome;
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
import java.util.function.Function;

/** The calls on messages that consumers hold, each in its bucket, pipelined. Thread-safe. */
final class HoldScripts {
    /** The number of messages in one script call. */
    private static final int CHUNK = 500;

    private final BucketCount layout;
    private final BucketCalls calls;
    private final Wakes wakes;

    HoldScripts(BucketCount layout, BucketCalls calls, Wakes wakes) {
        this.layout = layout;
        this.calls = calls;
        this.wakes = wakes;
    }

    Map<String, HoldState> holds(Collection<Held> sought) {
        Map<String, HoldState> states = new HashMap<>();
        each(sought, Held::id, LuaScript.HOLDS, bucket -> List.of(), HoldScripts::words, (chunk, reply) -> {
            byte[] letters = (byte[]) reply;
            for (int i = 0; i < letters.length; i++) {
                states.put(
                        chunk.items().get(i).id(),
                        switch (letters[i]) {
                            case 'H' -> HoldState.HELD;
                            case 'A' -> HoldState.HELD_BY_ANOTHER;
                            default -> HoldState.FREE;
                        });
            }
        });
        return states;
    }

    void rename(Map<Held, String> receipts) {
        each(
                receipts.entrySet(),
                entry -> entry.getKey().id(),
                LuaScript.RENAME_HELD,
                bucket -> List.of(),
                entry -> words(entry.getKey(), Replies.bytes(entry.getValue())),
                (chunk, reply) -> {});
    }

    Map<String, Hold> find(Collection<String> ids) {
        Map<String, Hold> found = new HashMap<>();
        each(
                ids,
                id -> id,
                LuaScript.FIND_HELD,
                bucket -> List.of(),
                id -> List.of(StoredIds.bytes(id)),
                (chunk, reply) -> found.putAll(HolderReads.holds(Replies.list(reply))));
        return found;
    }

    Map<String, String> forget(Collection<Held> ended) {
        Map<String, String> forgotten = new HashMap<>();
        each(
                ended,
                Held::id,
                LuaScript.FORGET_HELD,
                bucket -> List.of(),
                HoldScripts::words,
                (chunk, reply) -> addTopics(Replies.list(reply), forgotten));
        return forgotten;
    }

    Map<String, Long> extend(Collection<Held> held, Duration hold) {
        Map<String, Long> ends = new HashMap<>();
        Function<BucketKeys, List<byte[]>> head = bucket -> {
            List<byte[]> words = notice(bucket);
            words.add(Replies.bytes(hold.toMillis()));
            return words;
        };
        each(held, Held::id, LuaScript.EXTEND_HELD, head, HoldScripts::words, (chunk, reply) -> {
            List<?> parts = Replies.list(reply);
            tellEarlier(chunk.bucket(), parts);
            Set<String> extended = new HashSet<>();
            addIds(parts, 2, extended);
            extended.forEach(id -> ends.put(id, Replies.number(parts.get(1))));
        });
        return ends;
    }

    Set<String> postpone(Map<Held, DelayMessage> messages, boolean consumed) {
        Set<String> ended = new HashSet<>();
        each(
                messages.entrySet(),
                entry -> entry.getKey().id(),
                LuaScript.POSTPONE_HELD,
                bucket -> notice(bucket, consumed),
                entry -> words(
                        entry.getKey(), ScheduleRun.score(entry.getValue()), MessageCodec.encode(entry.getValue())),
                (chunk, reply) -> {
                    tellEarlier(chunk.bucket(), Replies.list(reply));
                    addIds(Replies.list(reply), 1, ended);
                });
        return ended;
    }

    Set<String> release(Collection<Held> held, boolean consumed) {
        Set<String> released = new HashSet<>();
        Function<BucketKeys, List<byte[]>> head = bucket -> notice(bucket, consumed);
        each(held, Held::id, LuaScript.RELEASE_HELD, head, HoldScripts::words, (chunk, reply) -> {
            List<?> parts = Replies.list(reply);
            Replies.list(parts.get(0)).forEach(topic -> wakes.tellReady(chunk.bucket().bucket, Replies.text(topic)));
            addIds(Replies.list(parts.get(1)), 0, released);
        });
        return released;
    }

    Map<String, String> park(Map<Held, ParkedOutcome> outcomes) {
        Map<String, String> parked = new HashMap<>();
        each(
                outcomes.entrySet(),
                entry -> entry.getKey().id(),
                LuaScript.PARK_HELD,
                bucket -> List.of(),
                entry -> words(entry.getKey(), ParkedCodec.encode(entry.getValue())),
                (chunk, reply) -> addTopics(Replies.list(reply), parked));
        return parked;
    }

    private <T> void each(
            Collection<T> items,
            Function<T, String> idOf,
            LuaScript script,
            Function<BucketKeys, List<byte[]>> head,
            Function<T, List<byte[]>> wordsOf,
            BiConsumer<BucketChunk<T>, Object> reader) {
        List<BucketChunk<T>> chunks = BucketChunk.of(layout.agreed(), items, idOf, CHUNK);
        List<RedisCall> scripts = new ArrayList<>(chunks.size());
        for (BucketChunk<T> chunk : chunks) {
            BucketKeys keys = chunk.bucket();
            List<byte[]> arguments = new ArrayList<>(head.apply(keys));
            chunk.items().forEach(item -> arguments.addAll(wordsOf.apply(item)));
            byte[][] scriptKeys = {keys.pool, keys.heads, keys.parked, keys.topics};
            scripts.add(BucketCalls.call(script, scriptKeys, arguments.toArray(byte[][]::new)));
        }
        Object[] replies = calls.runAll(scripts, BucketChunk.buckets(chunks));
        for (int i = 0; i < replies.length; i++) {
            reader.accept(chunks.get(i), replies[i]);
        }
    }

    private static List<byte[]> words(Held held, byte[]... more) {
        List<byte[]> words = new ArrayList<>(2 + more.length);
        words.add(StoredIds.bytes(held.id()));
        words.add(Replies.bytes(held.receipt()));
        words.addAll(List.of(more));
        return words;
    }

    private List<byte[]> notice(BucketKeys bucket) {
        return new ArrayList<>(List.of(wakes.channel(), wakes.notice(bucket.bucket)));
    }

    private List<byte[]> notice(BucketKeys bucket, boolean consumed) {
        List<byte[]> words = notice(bucket);
        words.add(Replies.bytes(consumed ? 1 : 0));
        return words;
    }

    private void tellEarlier(BucketKeys bucket, List<?> reply) {
        if (Replies.number(reply.get(0)) == 1) {
            wakes.tell(bucket.bucket);
        }
    }

    private static void addTopics(List<?> reply, Map<String, String> into) {
        for (int i = 0; i < reply.size(); i += 2) {
            into.put(StoredIds.text(reply.get(i)), Replies.text(reply.get(i + 1)));
        }
    }

    private static void addIds(List<?> reply, int from, Set<String> into) {
        reply.subList(from, reply.size()).forEach(id -> into.add(StoredIds.text(id)));
    }
}
