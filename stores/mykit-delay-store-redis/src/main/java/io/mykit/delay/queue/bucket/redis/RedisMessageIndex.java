package io.mykit.delay.queue.bucket.redis;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.QueueConfig;
import io.mykit.delay.config.RedisConfig;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.BucketListener;
import io.mykit.delay.queue.bucket.Census;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NearCount;
import io.mykit.delay.queue.bucket.NodeNotes;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.bucket.SharedLimits;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.redis.Redis;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The index on Redis. Each call goes to the class that implements it. Thread-safe. */
public final class RedisMessageIndex implements MessageIndex {
    private final RedisKeys keys;
    private final Redis redis;
    private final BucketCalls calls;
    private final Wakes wakes;
    private final BucketCount layout;
    private final Schedules schedules;
    private final IdScripts ids;
    private final BucketClaims terms;
    private final OwnerCalls owners;
    private final HoldIndex holds;
    private final NodeNotes notes;
    private final SharedLimits limits;

    private RedisMessageIndex(RedisKeys keys, Wakes wakes, Redis redis) {
        this.keys = keys;
        this.redis = redis;
        this.calls = new BucketCalls(redis);
        this.wakes = wakes;
        this.layout = new BucketCount(keys, calls, new BucketCountChange(calls, wakes));
        wakes.onLayout(layout::doubt);
        this.schedules = new Schedules(layout, calls, wakes, redis::latestDueMicros);
        this.ids = new IdScripts(layout, calls);
        this.terms = new BucketClaims(keys, layout, calls);
        this.holds = new RedisHoldIndex(layout, calls, wakes);
        this.notes = new RedisNodeNotes(keys, calls);
        this.limits = new RedisSharedLimits(keys, calls);
        this.owners = OwnerCalls.of(keys, terms, layout, calls, wakes, redis::latestDueMicros);
    }

    /**
     * Opens the index. A Redis that is down is no failure here: the health reports it, and the index goes on trying to connect.
     *
     * @param uri the address of Redis; it replaces {@link RedisConfig#uri()}, which may be "embedded"
     * @param clock gets the time of the Redis server from now on
     * @throws IllegalArgumentException if the uri, the queue's name or prefix, or the number of buckets cannot be used
     */
    public static RedisMessageIndex open(
            RedisConfig config, Secret uri, QueueConfig queue, ClusterClock clock, MeterRegistry meters) {
        RedisKeys keys = new RedisKeys(queue.prefix(), queue.name(), queue.buckets());
        Wakes wakes = new Wakes(keys.wakeChannel(), keys.buckets());
        return new RedisMessageIndex(keys, wakes, Redis.open(config, uri, keys.probes(), wakes, clock, meters));
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
    public int sharedBucketOf(String id) {
        return layout.agreed().bucketOf(id);
    }

    @Override
    public List<ScheduleOutcome> schedule(
            List<DelayMessage> messages, Predicate<DelayMessage> attempted, Predicate<String> pulled) {
        return schedules.run(messages, attempted, pulled);
    }

    @Override
    public Optional<Removal> remove(MessageRef message) {
        return ids.remove(message);
    }

    @Override
    public ScheduleOutcome putBack(DelayMessage removed, boolean attempted) {
        ids.lift(removed.ref());
        return schedules.run(List.of(removed), message -> attempted, NOT_PULLED).get(0);
    }

    @Override
    public Set<String> purge(Collection<MessageRef> purged) {
        return ids.purge(purged);
    }

    @Override
    public boolean isSteady(String id) {
        return redis.isSteady() && terms.isClaimed(id);
    }

    @Override
    public boolean mayBeDueElsewhere(String id, long dueTimeMs) {
        return dueTimeMs <= redis.latestElsewhereMs()
                && (!redis.isSteady() || (redis.mayFailOver() && !terms.isClaimed(id)));
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
    public void announceTopics() {
        wakes.publishTopics(calls);
    }

    @Override
    public void onTopics(Runnable listener) {
        wakes.addTopics(listener);
    }

    @Override
    public void announceRetry(String topic) {
        wakes.publishRetry(calls, topic);
    }

    @Override
    public void onRetry(Consumer<String> listener) {
        wakes.addRetry(listener);
    }

    @Override
    public HoldIndex holds() {
        return holds;
    }

    @Override
    public NodeNotes notes() {
        return notes;
    }

    @Override
    public SharedLimits limits() {
        return limits;
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
    public Census census(int bucket) {
        return owners.reads().census(keys.of(bucket));
    }

    @Override
    public NearCount near() {
        return owners.reads().near(layout.agreed());
    }

    @Override
    public OwnedBucket claim(int bucket, long epoch) {
        ClaimResult found = terms.claim(keys.of(bucket), epoch);
        return new RedisOwnedBucket(keys.of(bucket), epoch, found, owners);
    }

    @Override
    public List<Take> take(List<OwnedBucket> buckets, String topic, int limit, Duration lease) {
        return owners.joint().take(buckets, topic, limit, lease);
    }

    @Override
    public List<Answer<Long>> nextDue(List<OwnedBucket> buckets) {
        return owners.joint().nextDue(buckets);
    }

    @Override
    public List<Answer<ScanResult>> moveDue(List<OwnedBucket> buckets, int limit, Handover handover) {
        return owners.joint().moveDue(buckets, limit, handover);
    }

    @Override
    public List<Answer<Void>> settle(List<OwnedBucket> buckets, List<? extends Collection<String>> ids) {
        return owners.joint().settle(buckets, ids);
    }

    @Override
    public List<List<Integer>> serverGroups() {
        List<Integer> all = IntStream.range(0, keys.buckets()).boxed().toList();
        return redis.isSharded() ? all.stream().map(List::of).toList() : List.of(all);
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
        // The index is not down: no key is lost yet, and all calls work now.
        Map<String, Object> details = new LinkedHashMap<>(health.details());
        details.put(EVICTING, evicting);
        details.put(
                "warning", "Redis may drop keys, and their messages are late then: set maxmemory-policy to noeviction");
        return new Health(health.up(), details);
    }

    @Override
    public void close() {
        redis.close();
    }
}
