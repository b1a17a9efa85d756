package io.mykit.delay.test.bench.rig;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.test.server.RedisServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/** The raw ceiling of Redis: the moves of a message as plain commands, pipelined. Used by one thread. */
public final class RawIndex implements AutoCloseable {
    private static final byte[] WAITING = key("raw:{0}:bucket");
    private static final byte[] POOL = key("raw:{0}:pool");
    private static final byte[] READY = key("raw:{0}:ready");
    private static final byte[] LEASE = key("raw:{0}:lease");
    /** The body and the other fields of the message. */
    private static final byte[] VALUE = key(Requests.BODY + "accept:1234567890ab");

    private final Jedis jedis;
    private final MessageIds ids = new MessageIds(InstantSource.system());
    private double dueMs = InstantSource.system().millis() + 3_600_000;

    public RawIndex(RedisServer redis) {
        jedis = new Jedis("127.0.0.1", redis.port(), 60_000);
    }

    /** HSET and ZADD per message, so many a round trip; returns how many messages. */
    public long add(int perTrip, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        long messages = 0;
        while (System.nanoTime() < end) {
            add(perTrip);
            messages += perTrip;
        }
        return messages;
    }

    /** The same for one round trip; returns the ids. */
    public List<byte[]> add(int messages) {
        List<byte[]> added = new ArrayList<>(messages);
        Pipeline pipeline = jedis.pipelined();
        for (int i = 0; i < messages; i++) {
            byte[] id = key(ids.next());
            added.add(id);
            pipeline.hset(POOL, id, VALUE);
            pipeline.zadd(WAITING, dueMs++, id);
        }
        pipeline.sync();
        return added;
    }

    /** The same for given messages. */
    public void add(List<Entry> entries) {
        Pipeline pipeline = jedis.pipelined();
        for (Entry entry : entries) {
            byte[] id = key(entry.id());
            pipeline.hset(POOL, id, key(entry.value()));
            pipeline.zadd(WAITING, entry.dueMs(), id);
        }
        pipeline.sync();
    }

    /** A message as it is put into Redis. */
    public record Entry(String id, double dueMs, String value) {}

    /** The moves of a delivery: out of the bucket into a ready list, under a lease, and away. */
    public void deliver(List<byte[]> due) {
        Pipeline pipeline = jedis.pipelined();
        for (byte[] id : due) {
            pipeline.zrem(WAITING, id);
            pipeline.rpush(READY, id);
        }
        pipeline.sync();
        pipeline = jedis.pipelined();
        for (byte[] id : due) {
            pipeline.lpop(READY);
            pipeline.hget(POOL, id);
            pipeline.zadd(LEASE, dueMs, id);
        }
        pipeline.sync();
        pipeline = jedis.pipelined();
        for (byte[] id : due) {
            pipeline.zrem(LEASE, id);
            pipeline.hdel(POOL, id);
        }
        pipeline.sync();
    }

    public void clear() {
        jedis.del(WAITING, POOL, READY, LEASE);
    }

    private static byte[] key(String text) {
        return text.getBytes(US_ASCII);
    }

    @Override
    public void close() {
        clear();
        jedis.close();
    }
}
