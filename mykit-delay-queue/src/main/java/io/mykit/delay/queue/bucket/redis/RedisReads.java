package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.ParkedOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.Protocol;

/** What can be read without a script. Thread-safe. */
final class RedisReads {
    private static final byte[] COUNT = Replies.bytes("COUNT");

    private final RedisKeys keys;
    private final RedisCalls calls;

    RedisReads(RedisKeys keys, RedisCalls calls) {
        this.keys = keys;
        this.calls = calls;
    }

    long highestEpoch() {
        List<RedisCall> gets = new ArrayList<>();
        for (int bucket = 0; bucket < keys.buckets(); bucket++) {
            gets.add(RedisCall.plain(keys.of(bucket), Protocol.Command.GET, keys.of(bucket).epoch));
        }
        long highest = 0;
        for (Object result : calls.runAll(gets)) {
            Object epoch = RedisCalls.orThrow(result);
            highest = epoch == null ? highest : Math.max(highest, Replies.number(epoch));
        }
        return highest;
    }

    long waiting(BucketKeys bucket) {
        return Replies.number(calls.run(RedisCall.plain(bucket, Protocol.Command.ZCARD, bucket.waiting)));
    }

    Map<String, Long> ready(BucketKeys bucket) {
        List<String> topics = new ArrayList<>();
        List<RedisCall> lengths = new ArrayList<>();
        Object members = calls.run(RedisCall.plain(bucket, Protocol.Command.SMEMBERS, bucket.topics));
        for (Object member : Replies.list(members)) {
            String topic = Replies.text(member);
            topics.add(topic);
            lengths.add(RedisCall.plain(bucket, Protocol.Command.LLEN, bucket.ready(topic)));
        }
        Map<String, Long> ready = new LinkedHashMap<>();
        Object[] results = calls.runAll(lengths);
        for (int i = 0; i < results.length; i++) {
            long length = Replies.number(RedisCalls.orThrow(results[i]));
            if (length > 0) {
                ready.put(topics.get(i), length);
            }
        }
        return ready;
    }

    List<ParkedOutcome> parked(BucketKeys bucket, int limit) {
        List<ParkedOutcome> outcomes = new ArrayList<>();
        byte[] cursor = Replies.bytes(0);
        do {
            // A page of a hash that has shrunk may be empty although there is more.
            List<?> page = Replies.list(calls.run(RedisCall.plain(
                    bucket, Protocol.Command.HSCAN, bucket.parked, cursor, COUNT, Replies.bytes(limit))));
            cursor = (byte[]) page.get(0);
            List<?> fields = Replies.list(page.get(1));
            for (int i = 0; i < fields.size() && outcomes.size() < limit; i += 2) {
                outcomes.add(ParkedCodec.decode(Replies.text(fields.get(i)), (byte[]) fields.get(i + 1)));
            }
        } while (outcomes.isEmpty() && !(cursor.length == 1 && cursor[0] == '0'));
        return outcomes;
    }
}
