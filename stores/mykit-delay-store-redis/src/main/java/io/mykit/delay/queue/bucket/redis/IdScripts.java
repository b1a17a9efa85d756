package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.MessageRef;
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
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of any node on messages of which it knows only the ids. Thread-safe. */
final class IdScripts {
    private static final Logger LOG = LoggerFactory.getLogger(IdScripts.class);
    /** The number of ids in one script call. */
    private static final int CHUNK_IDS = 1000;
    /** This is longer than a change in the store may take: the wait for a connection, a statement and a commit. */
    private static final Duration VETO = Duration.ofSeconds(20);

    private final BucketCount layout;
    private final BucketCalls calls;

    IdScripts(BucketCount layout, BucketCalls calls) {
        this.layout = layout;
        this.calls = calls;
    }

    Optional<Removal> remove(MessageRef message) {
        String id = message.id();
        RedisKeys keys = layout.agreed();
        BucketKeys bucket = keys.of(keys.bucketOf(id));
        byte[][] scriptKeys = {
            bucket.pool, bucket.parked, bucket.heads, bucket.vetoes, bucket.vetoedVersions, bucket.lease
        };
        List<?> reply = Replies.list(calls.run(
                bucket,
                LuaScript.REMOVE,
                scriptKeys,
                StoredIds.bytes(id),
                Replies.bytes(message.version()),
                Replies.bytes(VETO.toMillis())));
        return Optional.ofNullable(
                switch (Replies.text(reply.get(0))) {
                    case "R" -> removed(id, (byte[]) reply.get(1), false);
                    case "D" -> removed(id, (byte[]) reply.get(1), true);
                    case "N" -> null;
                    case "L" -> Removal.TOO_LATE;
                    case "P" -> Removal.DELIVERED;
                    case "V" -> Removal.VETOED;
                    default -> Removal.UNKNOWN;
                });
    }

    private static Removal removed(String id, byte[] value, boolean wasReady) {
        return Removal.of(MessageCodec.decode(id, value), wasReady, MessageCodec.isAttempted(value));
    }

    Set<String> purge(Collection<MessageRef> messages) {
        return answered(messages, LuaScript.PURGE, IdScripts::withVersions);
    }

    Set<String> unknown(Collection<MessageRef> messages) {
        return answered(messages, LuaScript.UNKNOWN, IdScripts::byVersion);
    }

    Set<String> veto(Collection<MessageRef> messages) {
        byte[] howLong = Replies.bytes(VETO.toMillis());
        return answered(messages, LuaScript.VETO, chunk -> {
            List<byte[]> arguments = new ArrayList<>(List.of(howLong));
            arguments.addAll(withVersions(chunk));
            return arguments;
        });
    }

    void lift(MessageRef message) {
        try {
            RedisKeys keys = layout.agreed();
            BucketKeys bucket = keys.of(keys.bucketOf(message.id()));
            byte[][] scriptKeys = {bucket.vetoes, bucket.vetoedVersions};
            byte[] version = Replies.bytes(message.version());
            calls.run(bucket, LuaScript.LIFT, scriptKeys, StoredIds.bytes(message.id()), version);
        } catch (IndexUnavailableException e) {
            LOG.debug("The veto of message {} was not lifted and ends by itself", message.id(), e);
        }
    }

    Map<String, Location> locate(Collection<String> ids) {
        Map<String, Location> places = new HashMap<>();
        List<MessageRef> messages =
                ids.stream().map(id -> new MessageRef(id, 0)).toList();
        inBuckets(messages, LuaScript.LOCATE, IdScripts::withoutVersions, (chunk, reply) -> {
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

    private Set<String> answered(
            Collection<MessageRef> messages, LuaScript script, Function<List<MessageRef>, List<byte[]>> arguments) {
        Set<String> answered = new HashSet<>();
        inBuckets(messages, script, arguments, (chunk, reply) -> {
            for (Object id : Replies.list(reply)) {
                answered.add(StoredIds.text(id));
            }
        });
        return answered;
    }

    private static List<byte[]> withoutVersions(List<MessageRef> chunk) {
        return chunk.stream().map(message -> StoredIds.bytes(message.id())).toList();
    }

    /** Per message: id, version. */
    private static List<byte[]> withVersions(List<MessageRef> chunk) {
        List<byte[]> arguments = new ArrayList<>(2 * chunk.size());
        for (MessageRef message : chunk) {
            arguments.add(StoredIds.bytes(message.id()));
            arguments.add(Replies.bytes(message.version()));
        }
        return arguments;
    }

    /** The number of messages of the first version (nearly all are), and their ids; then per other message: id, version. */
    private static List<byte[]> byVersion(List<MessageRef> chunk) {
        List<byte[]> arguments = new ArrayList<>(chunk.size() + 1);
        List<MessageRef> later = new ArrayList<>();
        arguments.add(new byte[0]);
        for (MessageRef message : chunk) {
            if (message.version() == 0) {
                arguments.add(StoredIds.bytes(message.id()));
            } else {
                later.add(message);
            }
        }
        arguments.set(0, Replies.bytes(arguments.size() - 1));
        arguments.addAll(withVersions(later));
        return arguments;
    }

    /**
     * Runs a script over messages, each in its bucket, pipelined. It throws if any call fails; the exception names the
     * failed buckets.
     */
    private void inBuckets(
            Collection<MessageRef> messages,
            LuaScript script,
            Function<List<MessageRef>, List<byte[]>> arguments,
            BiConsumer<List<String>, Object> reader) {
        List<BucketChunk<MessageRef>> chunks = BucketChunk.of(layout.agreed(), messages, MessageRef::id, CHUNK_IDS);
        List<RedisCall> scripts = new ArrayList<>(chunks.size());
        for (BucketChunk<MessageRef> chunk : chunks) {
            scripts.add(call(chunk.bucket(), script, arguments.apply(chunk.items())));
        }
        Object[] replies = calls.runAll(scripts, BucketChunk.buckets(chunks));
        for (int i = 0; i < replies.length; i++) {
            reader.accept(chunks.get(i).items().stream().map(MessageRef::id).toList(), replies[i]);
        }
    }

    private static RedisCall call(BucketKeys bucket, LuaScript script, List<byte[]> arguments) {
        byte[][] scriptKeys = {
            bucket.pool, bucket.lease, bucket.parked, bucket.heads, bucket.vetoes, bucket.vetoedVersions
        };
        return BucketCalls.call(script, scriptKeys, arguments.toArray(byte[][]::new));
    }
}
