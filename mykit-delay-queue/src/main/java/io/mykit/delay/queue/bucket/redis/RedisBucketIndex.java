package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.QueueConfig;
import io.mykit.delay.config.RedisConfig;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.BucketListener;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.redis.Redis;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** The index on Redis: who does what. */
public final class RedisBucketIndex implements BucketIndex {
    private final RedisKeys keys;
    private final Redis redis;
    private final BucketCalls calls;
    private final Wakes wakes;
    private final Layout layout;
    private final Schedules schedules;
    private final IdScripts ids;
    private final Terms terms;
    private final Leases leases;
    private final Strays strays;
    private final RedisReads reads;
    private final BucketScan scan;

    private RedisBucketIndex(RedisKeys keys, Wakes wakes, Redis redis) {
        this.keys = keys;
        this.redis = redis;
        this.calls = new BucketCalls(redis);
        this.wakes = wakes;
        this.layout = new Layout(keys, calls, new LayoutChange(calls, wakes));
        wakes.onLayout(layout::doubt);
        this.schedules = new Schedules(layout, calls, wakes);
        this.ids = new IdScripts(layout, calls);
        this.terms = new Terms(keys, layout, calls);
        this.leases = new Leases(calls, wakes);
        this.strays = new Strays(calls);
        this.reads = new RedisReads(calls);
        this.scan = new BucketScan(calls, redis::latestDueMicros);
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
        RedisKeys keys = new RedisKeys(queue.prefix(), queue.name(), queue.bucketSize());
        Wakes wakes = new Wakes(keys.wakeChannel(), keys.buckets());
        return new RedisBucketIndex(keys, wakes, Redis.open(config, uri, keys.probes(), wakes, clock));
    }

    @Override
    public int buckets() {
        return keys.buckets();
    }

    @Override
    public int bucketOf(String id) {
        return keys.bucketOf(id);
    }

    @Override
    public List<ScheduleOutcome> schedule(List<DelayMessage> messages) {
        return schedules.run(messages);
    }

    @Override
    public Removal remove(String id) {
        return ids.remove(id);
    }

    @Override
    public ScheduleOutcome putBack(DelayMessage removed) {
        ids.lift(removed.ref());
        return schedules.run(List.of(removed)).get(0);
    }

    @Override
    public Set<String> purge(Collection<MessageRef> purged) {
        return ids.purge(purged);
    }

    @Override
    public Set<String> veto(Collection<MessageRef> vetoed) {
        return ids.veto(vetoed);
    }

    @Override
    public void lift(MessageRef message) {
        ids.lift(message);
    }

    @Override
    public Map<String, Location> locate(Collection<String> sought) {
        return ids.locate(sought);
    }

    @Override
    public Set<String> unknown(Collection<MessageRef> sought) {
        return ids.unknown(sought);
    }

    @Override
    public void onEarlier(BucketListener listener) {
        wakes.add(listener);
    }

    @Override
    public long timeMs() {
        return redis.timeMs();
    }

    @Override
    public Set<Integer> refusing() {
        Set<Integer> refusing = terms.silent();
        redis.refusing().stream().forEach(refusing::add);
        return refusing;
    }

    @Override
    public long highestEpoch() {
        return terms.highestEpoch();
    }

    @Override
    public ClaimResult claim(int bucket, long epoch) {
        return terms.claim(keys.of(bucket), epoch);
    }

    @Override
    public void markRestored(int bucket, long epoch) {
        terms.markRestored(keys.of(bucket), epoch, ClaimResult.LOST);
    }

    @Override
    public void markCompared(int bucket, long epoch) {
        terms.markRestored(keys.of(bucket), epoch, ClaimResult.OLDER);
    }

    @Override
    public long nextDue(int bucket, long epoch) {
        layout.require(keys.of(bucket));
        return reads.nextDue(keys.of(bucket), terms.claimOf(bucket, epoch));
    }

    @Override
    public ScanResult moveDue(int bucket, long epoch, int limit, Handover handover) {
        layout.require(keys.of(bucket));
        return scan.moveDue(keys.of(bucket), terms.claimOf(bucket, epoch), limit, handover);
    }

    @Override
    public List<Take> take(List<Integer> buckets, String topic, long epoch, int limit, Duration lease) {
        IntFunction<Claim> claims = bucket -> terms.claimOf(bucket, epoch);
        return leases.take(buckets.stream().map(keys::of).toList(), topic, claims, limit, lease);
    }

    @Override
    public void settle(int bucket, long epoch, Collection<String> taken) {
        leases.settle(keys.of(bucket), terms.claimOf(bucket, epoch), taken);
    }

    @Override
    public void release(int bucket, String topic, long epoch, List<String> taken) {
        leases.release(keys.of(bucket), topic, terms.claimOf(bucket, epoch), taken);
    }

    @Override
    public void postpone(int bucket, long epoch, Map<String, Duration> delays) {
        leases.postpone(keys.of(bucket), terms.claimOf(bucket, epoch), delays);
    }

    @Override
    public void park(int bucket, long epoch, Collection<ParkedOutcome> outcomes) {
        leases.park(keys.of(bucket), terms.claimOf(bucket, epoch), outcomes);
    }

    @Override
    public List<ParkedOutcome> parked(int bucket, int limit) {
        return reads.parked(keys.of(bucket), limit);
    }

    @Override
    public void unpark(int bucket, long epoch, Collection<String> learnt) {
        leases.unpark(keys.of(bucket), terms.claimOf(bucket, epoch), learnt);
    }

    @Override
    public Map<String, List<String>> leased(int bucket, long deadlineMs, int skip, int limit) {
        return leases.leased(keys.of(bucket), deadlineMs, skip, limit);
    }

    @Override
    public long strays(int bucket) {
        return strays.count(keys.of(bucket));
    }

    @Override
    public String collectStrays(int bucket, long epoch, String cursor) {
        return strays.collect(keys.of(bucket), terms.claimOf(bucket, epoch), cursor);
    }

    @Override
    public Map<String, Long> ready(int bucket) {
        return reads.ready(keys.of(bucket));
    }

    @Override
    public void forEachWaiting(int bucket, Consumer<List<String>> pages) {
        reads.forEachWaiting(keys.of(bucket), pages);
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
        Health health = redis.health();
        Map<String, String> evicting = redis.evicting();
        if (evicting.isEmpty()) {
            return health;
        }
        // Not down: nothing is lost yet, and what it does at present it does well.
        Map<String, Object> details = new LinkedHashMap<>(health.details());
        details.put(EVICTING, evicting);
        details.put("warning", "messages may be dropped and late: set maxmemory-policy to noeviction");
        return new Health(health.up(), details);
    }

    @Override
    public void close() {
        redis.close();
    }
}
