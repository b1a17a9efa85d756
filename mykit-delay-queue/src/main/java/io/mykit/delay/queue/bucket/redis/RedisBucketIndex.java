package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.QueueConfig;
import io.mykit.delay.config.RedisConfig;
import io.mykit.delay.config.Secret;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.BucketListener;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The index on Redis: a single server, one that sentinels watch over, or a cluster. Two threads of its own: one that
 * looks after the servers, and one that listens to the other nodes.
 */
public final class RedisBucketIndex implements BucketIndex {
    private static final int CHUNK_IDS = 1000;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

    private final RedisKeys keys;
    private final RedisServers servers;
    private final RedisCalls calls;
    private final Wakes wakes;
    private final SharedClock clock;
    private final Leases leases;
    private final RedisReads reads;
    private final List<BucketScan> scans = new ArrayList<>();
    private final WakeSubscriber subscriber;
    private final Upkeep upkeep;
    private final LoopRunner upkeepLoop;
    private final LoopRunner subscriberLoop;

    private RedisBucketIndex(RedisSettings settings, RedisKeys keys, ClusterClock clusterClock) {
        this.keys = keys;
        this.servers = new RedisServers(settings, Topology.of(settings));
        this.calls = new RedisCalls(servers);
        this.wakes = new Wakes(keys.wakeChannel(), keys.buckets());
        this.clock = new SharedClock(clusterClock);
        this.leases = new Leases(calls, wakes);
        this.reads = new RedisReads(keys, calls);
        for (int bucket = 0; bucket < keys.buckets(); bucket++) {
            scans.add(new BucketScan(keys.of(bucket), calls));
        }
        this.subscriber = new WakeSubscriber(servers, settings, keys.of(0), wakes);
        this.upkeep = new Upkeep(servers, settings, keys, clock, subscriber);
        this.upkeepLoop = new LoopRunner("redis-upkeep", upkeep, BACKOFF);
        this.subscriberLoop = new LoopRunner("redis-subscriber", subscriber, BACKOFF);
    }

    /**
     * Opens the index. A Redis that is down is no failure here: the index says so in its health, and goes on looking
     * for it.
     *
     * @param uri where Redis is; instead of {@link RedisConfig#uri()}, which may say "embedded"
     * @param clock is fed with the time of the Redis server from now on
     * @throws IllegalArgumentException if the uri, the queue's name or prefix, or the number of buckets cannot be used
     */
    public static RedisBucketIndex open(RedisConfig config, Secret uri, QueueConfig queue, ClusterClock clock) {
        RedisSettings settings = new RedisSettings(RedisUri.parse(uri), config.timeout(), config.maxConnections());
        RedisBucketIndex index =
                new RedisBucketIndex(settings, new RedisKeys(queue.prefix(), queue.name(), queue.bucketSize()), clock);
        index.upkeep.runOnce();
        index.upkeepLoop.start();
        index.subscriberLoop.start();
        return index;
    }

    @Override
    public int buckets() {
        return keys.buckets();
    }

    @Override
    public int bucketOf(String id) {
        return keys.bucketOf(Replies.bytes(id));
    }

    @Override
    public List<ScheduleOutcome> schedule(List<DelayMessage> messages) {
        return new ScheduleRun(keys, calls, wakes, messages.size()).run(messages);
    }

    @Override
    public Removal remove(String id) {
        byte[] idBytes = Replies.bytes(id);
        BucketKeys bucket = keys.of(keys.bucketOf(idBytes));
        byte[][] scriptKeys = {bucket.waiting, bucket.pool, bucket.parked};
        List<?> reply = Replies.list(calls.run(RedisCall.script(bucket, LuaScript.REMOVE, scriptKeys, idBytes)));
        return switch (Replies.text(reply.get(0))) {
            case "R" -> new Removal(Removal.Kind.REMOVED, MessageCodec.decode(id, (byte[]) reply.get(1)));
            case "L" -> Removal.TOO_LATE;
            default -> Removal.UNKNOWN;
        };
    }

    @Override
    public Set<String> purge(Collection<String> ids) {
        Set<String> stayed = new HashSet<>();
        inBuckets(ids, LuaScript.PURGE, (chunk, reply) -> {
            for (Object id : Replies.list(reply)) {
                stayed.add(Replies.text(id));
            }
        });
        return stayed;
    }

    @Override
    public Map<String, Location> locate(Collection<String> ids) {
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

    @Override
    public void onEarlier(BucketListener listener) {
        wakes.add(listener);
    }

    @Override
    public long timeMs() {
        return clock.millis();
    }

    @Override
    public long highestEpoch() {
        return reads.highestEpoch();
    }

    @Override
    public ClaimResult claim(int bucket, long epoch) {
        BucketKeys b = keys.of(bucket);
        byte[][] scriptKeys = {b.epoch, b.restoring};
        return ClaimResult.valueOf(
                Replies.text(calls.run(RedisCall.script(b, LuaScript.CLAIM, scriptKeys, Replies.bytes(epoch)))));
    }

    @Override
    public void markRestored(int bucket, long epoch) {
        BucketKeys b = keys.of(bucket);
        byte[][] scriptKeys = {b.epoch, b.restoring};
        calls.run(RedisCall.script(b, LuaScript.MARK_RESTORED, scriptKeys, Replies.bytes(epoch)));
    }

    @Override
    public ScanResult moveDue(int bucket, long epoch, int limit) {
        return scans.get(bucket).moveDue(epoch, limit);
    }

    @Override
    public List<DelayMessage> take(int bucket, String topic, long epoch, int limit, Duration lease) {
        return leases.take(keys.of(bucket), topic, epoch, limit, lease);
    }

    @Override
    public void settle(int bucket, long epoch, Collection<String> ids) {
        leases.settle(keys.of(bucket), epoch, ids);
    }

    @Override
    public void release(int bucket, String topic, long epoch, List<String> ids) {
        leases.release(keys.of(bucket), topic, epoch, ids);
    }

    @Override
    public void postpone(int bucket, long epoch, Map<String, Duration> delays) {
        leases.postpone(keys.of(bucket), epoch, delays);
    }

    @Override
    public void park(int bucket, long epoch, Collection<ParkedOutcome> outcomes) {
        leases.park(keys.of(bucket), epoch, outcomes);
    }

    @Override
    public List<ParkedOutcome> parked(int bucket, int limit) {
        return reads.parked(keys.of(bucket), limit);
    }

    @Override
    public void unpark(int bucket, long epoch, Collection<String> ids) {
        leases.unpark(keys.of(bucket), epoch, ids);
    }

    @Override
    public Map<String, List<String>> leased(int bucket, long deadlineMs, int limit) {
        return leases.leased(keys.of(bucket), deadlineMs, limit);
    }

    @Override
    public Map<String, Long> ready(int bucket) {
        return reads.ready(keys.of(bucket));
    }

    @Override
    public long waiting(int bucket) {
        return reads.waiting(keys.of(bucket));
    }

    @Override
    public String name() {
        return "index";
    }

    @Override
    public Health check() {
        return upkeep.health();
    }

    @Override
    public void close() {
        subscriber.close();
        subscriberLoop.close();
        upkeepLoop.close();
        servers.close();
    }

    /** Runs a script over ids, each in its bucket, pipelined; all or an exception. */
    private void inBuckets(Collection<String> ids, LuaScript script, BiConsumer<List<String>, Object> reader) {
        Map<Integer, List<String>> open = new HashMap<>();
        List<List<String>> chunks = new ArrayList<>();
        List<RedisCall> scripts = new ArrayList<>();
        for (String id : ids) {
            List<String> chunk = open.computeIfAbsent(bucketOf(id), b -> new ArrayList<>());
            chunk.add(id);
            if (chunk.size() == CHUNK_IDS) {
                chunks.add(open.remove(bucketOf(id)));
            }
        }
        chunks.addAll(open.values());
        for (List<String> chunk : chunks) {
            BucketKeys b = keys.of(bucketOf(chunk.get(0)));
            byte[][] scriptKeys = {b.waiting, b.pool, b.lease, b.parked};
            scripts.add(RedisCall.script(
                    b, script, scriptKeys, chunk.stream().map(Replies::bytes).toArray(byte[][]::new)));
        }
        Object[] results = calls.runAll(scripts);
        for (int i = 0; i < results.length; i++) {
            reader.accept(chunks.get(i), RedisCalls.orThrow(results[i]));
        }
    }
}
