package io.mykit.delay.queue.memory;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HeldMessage;
import io.mykit.delay.queue.bucket.Hold;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.HoldReceipt;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.bucket.ReadyListener;
import io.mykit.delay.queue.bucket.TopicCensus;
import io.mykit.delay.queue.bucket.TopicCount;
import io.mykit.delay.queue.bucket.TopicCounts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** {@link HoldIndex} in memory, for tests, as one node has it; see {@link MemoryBuckets}. Thread-safe. */
final class MemoryHoldIndex implements HoldIndex {
    private final MemoryBuckets buckets;
    private final InstantSource clock;
    private final ToIntFunction<String> bucketOf;
    private final List<ReadyListener> listeners = new CopyOnWriteArrayList<>();

    MemoryHoldIndex(MemoryBuckets buckets, InstantSource clock, ToIntFunction<String> bucketOf) {
        this.buckets = buckets;
        this.clock = clock;
        this.bucketOf = bucketOf;
    }

    @Override
    public int buckets() {
        return buckets.size();
    }

    @Override
    public List<Handout> handOut(Collection<Integer> from, String topic, Portion each, Duration hold, String receipt) {
        long untilMs = clock.millis() + hold.toMillis();
        return from.stream()
                .map(bucket -> handOut(bucket, topic, each, untilMs, receipt))
                .toList();
    }

    private Handout handOut(int bucket, String topic, Portion each, long untilMs, String receipt) {
        try {
            return buckets.call(bucket, data -> data.handOut(topic, each, untilMs, receipt));
        } catch (IndexUnavailableException e) {
            return Handout.failed(bucket, e);
        }
    }

    @Override
    public Map<String, HoldState> holds(Collection<Held> sought) {
        checkServed(sought);
        return sought.stream()
                .collect(Collectors.toMap(
                        Held::id, one -> buckets.call(bucketOf.applyAsInt(one.id()), data -> data.holds.state(one))));
    }

    @Override
    public void rename(Map<Held, String> receipts) {
        those(receipts.keySet(), (holds, one) -> holds.rename(one, receipts.get(one)));
    }

    @Override
    public Map<String, Hold> find(Collection<String> ids) {
        Map<String, Hold> found = new HashMap<>();
        for (String id : ids) {
            buckets.call(
                    bucketOf.applyAsInt(id), data -> data.holds.has(id) && found.put(id, data.holds.hold(id)) == null);
        }
        return found;
    }

    @Override
    public List<HeldMessage> held(String topic, int limit) {
        return buckets.callAll(all(), data -> data.holds.held(topic)).stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparingLong(each -> each.hold().untilMs()))
                .limit(limit)
                .toList();
    }

    @Override
    public List<HoldReceipt> receipts(String topic, int most) {
        return held(topic, most).stream()
                .flatMap(each -> each.hold().receipt().stream())
                .toList();
    }

    @Override
    public Map<String, String> forget(Collection<Held> ended) {
        return topicsOf(ended, MemoryHolds::forget);
    }

    @Override
    public Map<String, Long> extend(Collection<Held> held, Duration hold) {
        long untilMs = clock.millis() + hold.toMillis();
        return those(held, (holds, one) -> holds.extend(one, untilMs)).stream()
                .collect(Collectors.toMap(id -> id, id -> untilMs));
    }

    @Override
    public Set<String> postpone(Map<Held, DelayMessage> messages, boolean consumed) {
        return those(
                messages.keySet(), (holds, one) -> holds.postpone(one, messages.get(one), clock.millis(), consumed));
    }

    @Override
    public Set<String> release(Collection<Held> held, boolean consumed) {
        Map<Integer, Set<String>> topics = new LinkedHashMap<>();
        List<Held> backwards = new ArrayList<>(held);
        Collections.reverse(backwards);
        Set<String> released = those(backwards, (holds, one) -> {
            String topic = holds.release(one, consumed);
            if (topic != null) {
                topics.computeIfAbsent(bucketOf.applyAsInt(one.id()), bucket -> new TreeSet<>())
                        .add(topic);
            }
            return topic != null;
        });
        topics.forEach((bucket, names) -> names.forEach(topic -> buckets.tellReady(bucket, topic)));
        return released;
    }

    @Override
    public Map<String, String> park(Map<Held, ParkedOutcome> outcomes) {
        return topicsOf(outcomes.keySet(), (holds, one) -> holds.park(one, outcomes.get(one)));
    }

    @Override
    public Map<Integer, Long> ready(String topic) {
        Map<Integer, Long> ready = new LinkedHashMap<>();
        List<Long> lengths = buckets.callAll(all(), data -> data.ready().getOrDefault(topic, 0L));
        for (int bucket = 0; bucket < lengths.size(); bucket++) {
            if (lengths.get(bucket) > 0) {
                ready.put(bucket, lengths.get(bucket));
            }
        }
        return ready;
    }

    @Override
    public Map<Integer, Set<String>> readyTopics() {
        Set<Integer> silent = buckets.silent();
        if (silent.size() == buckets.size()) {
            throw new IndexUnavailableException("all buckets are silent", null);
        }
        Map<Integer, Set<String>> ready = new LinkedHashMap<>();
        for (int bucket : all()) {
            Set<String> topics = silent.contains(bucket)
                    ? Set.of()
                    : buckets.call(bucket, data -> Set.copyOf(data.ready().keySet()));
            if (!topics.isEmpty()) {
                ready.put(bucket, topics);
            }
        }
        return ready;
    }

    @Override
    public List<TopicCensus> topics(String prefix, String after, int limit) {
        return topics(names(List.of(prefix)).stream()
                .filter(name -> name.compareTo(after) > 0)
                .sorted()
                .limit(limit)
                .toList());
    }

    @Override
    public Set<String> names(Collection<String> beginnings) {
        Set<String> names = new HashSet<>();
        buckets.callAll(all(), data -> names.addAll(data.holds.topics()));
        names.removeIf(name -> beginnings.stream().noneMatch(name::startsWith));
        return names;
    }

    @Override
    public List<TopicCensus> topics(List<String> names) {
        Map<String, TopicCensus> sums = new HashMap<>();
        buckets.callAll(all(), data -> data.holds.census())
                .forEach(bucket -> bucket.forEach((topic, own) -> sums.merge(topic, own, MemoryHoldIndex::sum)));
        return names.stream()
                .map(topic -> sums.getOrDefault(topic, new TopicCensus(topic, 0, 0, 0)))
                .toList();
    }

    private static TopicCensus sum(TopicCensus one, TopicCensus other) {
        return new TopicCensus(
                one.topic(), one.waiting() + other.waiting(), one.ready() + other.ready(), one.held() + other.held());
    }

    @Override
    public TopicCounts counts(int most) {
        Map<String, Long> leased = new TreeMap<>();
        buckets.callAll(all(), data -> data.holds.leasedByTopic())
                .forEach(one -> one.forEach((topic, count) -> leased.merge(topic, count, Long::sum)));
        Set<String> names = new TreeSet<>(leased.keySet());
        buckets.callAll(all(), data -> names.addAll(data.holds.topics()));
        return new TopicCounts(
                topics(names.stream().limit(most).toList()).stream()
                        .map(census -> count(census, leased.getOrDefault(census.topic(), 0L)))
                        .toList(),
                names.size() <= most);
    }

    @Override
    public List<TopicCount> counts(List<String> names) {
        return topics(names).stream().map(census -> count(census, 0)).toList();
    }

    private TopicCount count(TopicCensus census, long leased) {
        OptionalLong oldest = Stream.of(Location.READY, Location.WAITING)
                .flatMap(where -> peek(census.topic(), where, 1).stream())
                .mapToLong(DelayMessage::dueTimeMs)
                .min();
        return new TopicCount(census.topic(), census.waiting(), census.ready(), census.held(), leased, oldest);
    }

    @Override
    public List<DelayMessage> peek(String topic, Location where, int limit) {
        return buckets.callAll(all(), data -> data.holds.peek(topic, where, limit)).stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparingDouble(message -> MemoryWaiting.score(message.dueTimeMs(), message)))
                .limit(limit)
                .toList();
    }

    @Override
    public void onReady(ReadyListener listener) {
        listeners.add(listener);
        buckets.add(listener);
    }

    void close() {
        buckets.removeReady(listeners);
    }

    /** @param call returns the topic of a message; null = it is not under this hold */
    private Map<String, String> topicsOf(Collection<Held> held, BiFunction<MemoryHolds, Held, String> call) {
        Map<String, String> topics = new HashMap<>();
        Set<String> unused = those(held, (holds, one) -> {
            String topic = call.apply(holds, one);
            if (topic != null) {
                topics.put(one.id(), topic);
            }
            return topic != null;
        });
        return topics;
    }

    private Set<String> those(Collection<Held> held, BiPredicate<MemoryHolds, Held> call) {
        checkServed(held);
        Set<String> those = new HashSet<>();
        for (Held one : held) {
            if (buckets.call(bucketOf.applyAsInt(one.id()), data -> call.test(data.holds, one))) {
                those.add(one.id());
            }
        }
        return those;
    }

    private void checkServed(Collection<Held> held) {
        buckets.callAll(
                held.stream().map(one -> bucketOf.applyAsInt(one.id())).collect(Collectors.toSet()), bucket -> true);
    }

    private List<Integer> all() {
        return IntStream.range(0, buckets.size()).boxed().toList();
    }
}
