package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The calls on messages between the ready list and their outcome. Thread-safe. */
final class Leases {
    private final BucketCalls calls;
    private final Wakes wakes;

    Leases(BucketCalls calls, Wakes wakes) {
        this.calls = calls;
        this.wakes = wakes;
    }

    List<Take> take(List<BucketKeys> buckets, String topic, List<Claim> claims, int limit, Duration lease) {
        byte[] topicName = Replies.bytes(topic);
        byte[] most = Replies.bytes(limit);
        byte[] leaseMs = Replies.bytes(lease.toMillis());
        byte[] share = BucketScan.share(buckets.size());
        List<RedisCall> takes = new ArrayList<>(buckets.size());
        for (int i = 0; i < buckets.size(); i++) {
            BucketKeys keys = buckets.get(i);
            Claim claim = claims.get(i);
            byte[][] scriptKeys = {
                keys.epoch, keys.ready(topic), keys.topics, keys.lease, keys.pool, keys.waiting(topic)
            };
            takes.add(BucketCalls.call(LuaScript.TAKE, scriptKeys, claim.exactly(), topicName, most, share, leaseMs)
                    .onlyTo(claim.server()));
        }
        Object[] replies = calls.runEach(buckets, takes);
        List<Take> taken = new ArrayList<>(replies.length);
        for (int i = 0; i < replies.length; i++) {
            BucketKeys keys = buckets.get(i);
            taken.add(
                    replies[i] instanceof RuntimeException failure
                            ? Take.failed(keys.bucket, failure)
                            : taken(keys, Replies.list(replies[i])));
        }
        return taken;
    }

    private Take taken(BucketKeys keys, List<?> reply) {
        return Take.of(keys.bucket, TakenMessages.read(keys.bucket, reply, 1), Replies.number(reply.get(0)) == 1);
    }

    /** One script for each bucket, pipelined. The claims and the ids are in the order of the buckets. */
    List<Answer<Void>> settle(List<BucketKeys> buckets, List<Claim> claims, List<? extends Collection<String>> ids) {
        List<RedisCall> settles = new ArrayList<>(buckets.size());
        for (int i = 0; i < buckets.size(); i++) {
            BucketKeys keys = buckets.get(i);
            Claim claim = claims.get(i);
            List<byte[]> arguments = new ArrayList<>(ids.get(i).size() + 1);
            arguments.add(claim.exactly());
            ids.get(i).forEach(id -> arguments.add(StoredIds.bytes(id)));
            byte[][] scriptKeys = {keys.epoch, keys.lease, keys.pool};
            settles.add(BucketCalls.call(LuaScript.SETTLE, scriptKeys, arguments.toArray(byte[][]::new))
                    .onlyTo(claim.server()));
        }
        return calls.askEach(buckets, settles, (keys, reply) -> null);
    }

    void extend(BucketKeys keys, Claim claim, Collection<String> ids, Duration lease) {
        List<byte[]> arguments = new ArrayList<>(ids.size() + 2);
        arguments.add(claim.exactly());
        arguments.add(Replies.bytes(lease.toMillis()));
        ids.forEach(id -> arguments.add(StoredIds.bytes(id)));
        run(keys, LuaScript.EXTEND, new byte[][] {keys.epoch, keys.lease}, claim, arguments);
    }

    void retake(BucketKeys keys, Claim claim, Collection<MessageRef> messages, Duration lease) {
        List<byte[]> arguments = new ArrayList<>(messages.size() * 2 + 2);
        arguments.add(claim.exactly());
        arguments.add(Replies.bytes(lease.toMillis()));
        for (MessageRef message : messages) {
            arguments.add(StoredIds.bytes(message.id()));
            arguments.add(Replies.bytes(message.version()));
        }
        byte[][] scriptKeys = {keys.epoch, keys.lease, keys.pool, keys.heads, keys.retaken};
        run(keys, LuaScript.RETAKE, scriptKeys, claim, arguments);
    }

    void release(BucketKeys keys, String topic, Claim claim, List<String> ids, boolean attempted) {
        List<byte[]> arguments = new ArrayList<>(ids.size() + 3);
        arguments.add(claim.exactly());
        arguments.add(Replies.bytes(topic));
        arguments.add(Replies.bytes(attempted ? 1 : 0));
        ids.forEach(id -> arguments.add(StoredIds.bytes(id)));
        run(
                keys,
                LuaScript.RELEASE,
                new byte[][] {keys.epoch, keys.lease, keys.ready(topic), keys.topics, keys.pool},
                claim,
                arguments);
    }

    void postpone(BucketKeys keys, Claim claim, Collection<DelayMessage> messages, Set<String> attempted) {
        List<byte[]> arguments = new ArrayList<>(messages.size() * 3 + 3);
        arguments.add(claim.exactly());
        arguments.add(wakes.channel());
        arguments.add(wakes.notice(keys.bucket));
        for (DelayMessage message : messages) {
            arguments.add(StoredIds.bytes(message.id()));
            arguments.add(ScheduleRun.score(message));
            arguments.add(MessageCodec.encode(message, attempted.contains(message.id())));
        }
        byte[][] scriptKeys = {keys.epoch, keys.lease, keys.pool, keys.heads};
        if (Replies.number(run(keys, LuaScript.POSTPONE, scriptKeys, claim, arguments)) == 1) {
            wakes.tell(keys.bucket);
        }
    }

    void park(BucketKeys keys, Claim claim, Collection<ParkedOutcome> outcomes) {
        List<byte[]> arguments = new ArrayList<>(outcomes.size() * 2 + 1);
        arguments.add(claim.exactly());
        for (ParkedOutcome outcome : outcomes) {
            arguments.add(StoredIds.bytes(outcome.id()));
            arguments.add(ParkedCodec.encode(outcome));
        }
        byte[][] scriptKeys = {keys.epoch, keys.lease, keys.pool, keys.parked, keys.heads};
        run(keys, LuaScript.PARK, scriptKeys, claim, arguments);
    }

    void leave(BucketKeys keys, Claim claim, Collection<String> ids, Duration hold, String receipt) {
        List<byte[]> arguments = new ArrayList<>(ids.size() + 3);
        arguments.add(claim.exactly());
        arguments.add(Replies.bytes(hold.toMillis()));
        arguments.add(Replies.bytes(receipt));
        ids.forEach(id -> arguments.add(StoredIds.bytes(id)));
        run(keys, LuaScript.LEAVE, new byte[][] {keys.epoch, keys.lease, keys.pool, keys.heads}, claim, arguments);
    }

    void unpark(BucketKeys keys, Claim claim, Collection<String> ids) {
        List<byte[]> arguments = new ArrayList<>(ids.size() + 1);
        arguments.add(claim.anyOfTheTerm());
        ids.forEach(id -> arguments.add(StoredIds.bytes(id)));
        run(keys, LuaScript.UNPARK, new byte[][] {keys.epoch, keys.parked}, claim, arguments);
    }

    Map<String, List<String>> leased(BucketKeys keys, long deadlineMs, int skip, int limit) {
        byte[] deadline = deadlineMs == Long.MAX_VALUE ? Replies.bytes("+inf") : Replies.bytes(deadlineMs);
        List<?> reply = Replies.list(calls.run(
                keys,
                LuaScript.LEASED,
                new byte[][] {keys.lease, keys.pool},
                deadline,
                Replies.bytes(limit),
                BucketScan.MAX_BYTES,
                Replies.bytes(skip)));
        Map<String, List<String>> byTopic = new LinkedHashMap<>();
        for (int i = 0; i < reply.size(); i += 2) {
            byTopic.computeIfAbsent(Replies.text(reply.get(i + 1)), t -> new ArrayList<>())
                    .add(StoredIds.text(reply.get(i)));
        }
        return byTopic;
    }

    private Object run(BucketKeys keys, LuaScript script, byte[][] scriptKeys, Claim claim, List<byte[]> arguments) {
        return calls.run(keys, claim, script, scriptKeys, arguments.toArray(byte[][]::new));
    }
}
