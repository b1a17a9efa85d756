package io.mykit.delay.queue.memory;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.BucketListener;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.Census;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NearCount;
import io.mykit.delay.queue.bucket.NodeNotes;
import io.mykit.delay.queue.bucket.NotOwnedException;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.bucket.SharedLimits;
import io.mykit.delay.queue.bucket.Take;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/** {@link MessageIndex} in memory, as one node has it; see {@link MemoryBuckets}. Thread-safe. */
public final class MemoryMessageIndex implements MessageIndex, MemoryOwnerCalls {
    private final MemoryBuckets buckets;
    private final InstantSource clock;
    private final MemoryHoldIndex holds;
    private final List<BucketListener> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> topicListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> retryListeners = new CopyOnWriteArrayList<>();
    /** By bucket: of the youngest term. */
    private final Map<Integer, MemoryClaim> claims = new ConcurrentHashMap<>();

    public MemoryMessageIndex(MemoryBuckets buckets, InstantSource clock) {
        this.buckets = buckets;
        this.clock = clock;
        this.holds = new MemoryHoldIndex(buckets, clock, this::bucketOf);
    }

    @Override
    public int buckets() {
        return buckets.size();
    }

    @Override
    public int bucketOf(String id) {
        CRC32C crc = new CRC32C();
        crc.update(id.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % buckets.size());
    }

    @Override
    public int sharedBucketOf(String id) {
        return bucketOf(id);
    }

    @Override
    public List<ScheduleOutcome> schedule(
            List<DelayMessage> messages, Predicate<DelayMessage> attempted, Predicate<String> pulled) {
        List<ScheduleOutcome> outcomes = messages.stream()
                .map(message -> schedule(message, attempted.test(message)))
                .toList();
        for (int i = 0; i < outcomes.size(); i++) {
            String topic = messages.get(i).topic();
            if (outcomes.get(i) == ScheduleOutcome.SCHEDULED && pulled.test(topic)) {
                makeReady(bucketOf(messages.get(i).id()), topic);
            }
        }
        return outcomes;
    }

    private void makeReady(int bucket, String topic) {
        try {
            boolean filled = buckets.call(bucket, data -> data.makeReady(topic, timeMs()));
            if (filled) {
                buckets.tellReady(bucket, topic);
            }
        } catch (IndexUnavailableException e) {
            // The messages are scheduled; the scan makes them ready.
        }
    }

    private ScheduleOutcome schedule(DelayMessage message, boolean attempted) {
        try {
            return buckets.call(bucketOf(message.id()), bucket -> bucket.schedule(message, attempted, timeMs()));
        } catch (IndexUnavailableException e) {
            return ScheduleOutcome.UNAVAILABLE;
        }
    }

    @Override
    public Optional<Removal> remove(MessageRef message) {
        return buckets.call(bucketOf(message.id()), bucket -> bucket.remove(message, timeMs()));
    }

    @Override
    public ScheduleOutcome putBack(DelayMessage removed, boolean attempted) {
        lift(removed.ref());
        return schedule(removed, attempted);
    }

    @Override
    public Set<String> purge(Collection<MessageRef> messages) {
        return those(messages, MemoryBucket::purge);
    }

    @Override
    public boolean isSteady(String id) {
        String server = buckets.server();
        return buckets.isSteady() && buckets.call(bucketOf(id), bucket -> bucket.isKnownOn(server));
    }

    @Override
    public boolean mayBeDueElsewhere(String id, long dueTimeMs) {
        return dueTimeMs <= timeMs() + buckets.aheadElsewhereMs() && !buckets.isSteady();
    }

    @Override
    public Set<String> veto(Collection<MessageRef> messages) {
        return those(messages, (bucket, message) -> bucket.veto(message, timeMs()));
    }

    @Override
    public Set<String> unknown(Collection<MessageRef> messages) {
        return those(messages, MemoryBucket::isUnknown);
    }

    @Override
    public void lift(MessageRef message) {
        try {
            buckets.call(bucketOf(message.id()), bucket -> {
                bucket.lift(message);
                return null;
            });
        } catch (IndexUnavailableException e) {
            // It ends by itself.
        }
    }

    @Override
    public Map<String, Location> locate(Collection<String> ids) {
        checkServed(ids);
        Map<String, Location> places = new HashMap<>();
        for (String id : ids) {
            Location place = buckets.call(bucketOf(id), bucket -> bucket.locate(id));
            if (place != null) {
                places.put(id, place);
            }
        }
        return places;
    }

    @Override
    public void onEarlier(BucketListener listener) {
        listeners.add(listener);
        buckets.add(listener);
    }

    @Override
    public void announceTopics() {
        if (buckets.silent().size() == buckets.size()) {
            throw new IndexUnavailableException("no bucket answers", null);
        }
        buckets.tellTopics(topicListeners);
    }

    @Override
    public void onTopics(Runnable listener) {
        topicListeners.add(listener);
        buckets.addTopics(listener);
    }

    @Override
    public void announceRetry(String topic) {
        if (buckets.silent().size() == buckets.size()) {
            throw new IndexUnavailableException("no bucket answers", null);
        }
        buckets.tellRetry(topic, retryListeners);
    }

    @Override
    public void onRetry(Consumer<String> listener) {
        retryListeners.add(listener);
        buckets.addRetry(listener);
    }

    @Override
    public HoldIndex holds() {
        return holds;
    }

    @Override
    public void tellReady(int bucket, String topic) {
        buckets.tellReady(bucket, topic);
    }

    @Override
    public NodeNotes notes() {
        return buckets.notes();
    }

    @Override
    public SharedLimits limits() {
        return buckets.limits(clock);
    }

    @Override
    public long timeMs() {
        return clock.millis();
    }

    @Override
    public Set<Integer> refusing() {
        return buckets.silent();
    }

    @Override
    public long highestEpoch() {
        List<Integer> all = new ArrayList<>();
        for (int bucket = 0; bucket < buckets.size(); bucket++) {
            all.add(bucket);
        }
        return buckets.callAll(all, bucket -> bucket.claim == null ? 0L : bucket.claim.epoch()).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    @Override
    public Census census(int bucket) {
        return buckets.call(bucket, MemoryBucket::census);
    }

    @Override
    public NearCount near() {
        List<Census> all = IntStream.range(0, buckets()).mapToObj(this::census).toList();
        long leased = all.stream().mapToLong(Census::leased).sum();
        long pool = all.stream()
                .mapToLong(bucket -> bucket.waiting()
                        + bucket.strays()
                        + bucket.ready().values().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                .sum();
        return new NearCount(
                pool + leased, leased, all.stream().mapToLong(Census::parked).sum());
    }

    @Override
    public OwnedBucket claim(int bucket, long epoch) {
        String server = buckets.server();
        ClaimResult found = buckets.ownerCall(bucket, data -> {
            ClaimResult result = data.claim(epoch, server);
            claims.merge(bucket, data.claim, (old, now) -> old.epoch() > now.epoch() ? old : now);
            return result;
        });
        return new MemoryOwnedBucket(bucket, epoch, found, this);
    }

    @Override
    public List<Take> take(List<OwnedBucket> from, String topic, int limit, Duration lease) {
        return from.stream().map(owned -> take(owned, topic, limit, lease)).toList();
    }

    private Take take(OwnedBucket owned, String topic, int limit, Duration lease) {
        try {
            return asOwner(
                    owned.bucket(),
                    owned.epoch(),
                    true,
                    bucket -> bucket.take(topic, limit, timeMs() + lease.toMillis()));
        } catch (IndexUnavailableException | NotOwnedException e) {
            return Take.failed(owned.bucket(), e);
        }
    }

    @Override
    public List<Answer<Long>> nextDue(List<OwnedBucket> some) {
        return each(some, OwnedBucket::nextDue);
    }

    @Override
    public List<Answer<ScanResult>> moveDue(List<OwnedBucket> some, int limit, Handover handover) {
        return each(some, bucket -> bucket.moveDue(limit, handover));
    }

    @Override
    public List<Answer<Void>> settle(List<OwnedBucket> some, List<? extends Collection<String>> ids) {
        return each(some, bucket -> {
            bucket.settle(ids.get(some.indexOf(bucket)));
            return null;
        });
    }

    private static <T> List<Answer<T>> each(List<OwnedBucket> some, Function<OwnedBucket, T> call) {
        List<Answer<T>> answers = new ArrayList<>();
        for (OwnedBucket owned : some) {
            try {
                answers.add(Answer.of(owned.bucket(), call.apply(owned)));
            } catch (IndexUnavailableException | NotOwnedException e) {
                answers.add(Answer.failed(owned.bucket(), e));
            }
        }
        return answers;
    }

    @Override
    public List<List<Integer>> serverGroups() {
        return List.of(IntStream.range(0, buckets()).boxed().toList());
    }

    @Override
    public <T> T asOwner(int bucket, long epoch, boolean exactly, Function<MemoryBucket, T> call) {
        MemoryClaim mine = claims.get(bucket);
        MemoryClaim claim = mine != null && mine.epoch() == epoch ? mine : new MemoryClaim(epoch, 0, "");
        return buckets.ownerCall(bucket, data -> {
            if (claim.turn() > 0 && !claim.server().equals(buckets.server())) {
                throw new BucketLostException(bucket);
            }
            claim.check(bucket, data.claim, exactly);
            return call.apply(data);
        });
    }

    @Override
    public <T> T read(int bucket, Function<MemoryBucket, T> call) {
        return buckets.ownerCall(bucket, call);
    }

    @Override
    public String name() {
        return "index";
    }

    @Override
    public Health check() {
        Set<Integer> silent = buckets.silent();
        return new Health(
                silent.size() < buckets.size(), silent.isEmpty() ? Map.of() : Map.of("reason", "does not answer"));
    }

    @Override
    public void close() {
        buckets.remove(listeners);
        holds.close();
    }

    private Set<String> those(Collection<MessageRef> messages, BiPredicate<MemoryBucket, MessageRef> which) {
        checkServed(messages.stream().map(MessageRef::id).toList());
        Set<String> those = new HashSet<>();
        for (MessageRef message : messages) {
            if (buckets.call(bucketOf(message.id()), bucket -> which.test(bucket, message))) {
                those.add(message.id());
            }
        }
        return those;
    }

    /** A call over ids names all the buckets that fail. */
    private void checkServed(Collection<String> ids) {
        Set<Integer> asked = new HashSet<>();
        ids.forEach(id -> asked.add(bucketOf(id)));
        buckets.callAll(asked, bucket -> true);
    }
}
