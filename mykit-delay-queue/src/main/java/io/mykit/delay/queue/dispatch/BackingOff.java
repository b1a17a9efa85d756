package io.mykit.delay.queue.dispatch;

import io.mykit.delay.queue.state.FailingTopics;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The topics that cannot be delivered now, each with the words of its broker. Only the leader has entries. One object for all terms;
 * thread-safe.
 */
public final class BackingOff implements FailingTopics {
    /** If more topics fail, some are not listed. They have the same broker, most likely. */
    private static final int MAX_TOPICS = 1000;
    /** An entry without a further try ends, because the messages of the topic may be cancelled. */
    private static final long UNTRIED_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    public BackingOff() {
        this(System::nanoTime);
    }

    BackingOff(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void failed(String topic, String reason, Duration pause) {
        long now = nanoTime.getAsLong();
        entries.values().removeIf(entry -> entry.isOver(now));
        if (entries.size() < MAX_TOPICS || entries.containsKey(topic)) {
            entries.compute(topic, (name, before) -> {
                long since = before == null ? now : before.sinceNanos();
                int tries = before == null ? 1 : before.tries() + 1;
                return new Entry(since, tries, reason, now + pause.toNanos());
            });
        }
    }

    void succeeded(String topic) {
        if (!entries.isEmpty()) {
            entries.remove(topic);
        }
    }

    /** The term has ended. */
    void clear() {
        entries.clear();
    }

    @Override
    public int count() {
        long now = nanoTime.getAsLong();
        return (int)
                entries.values().stream().filter(entry -> !entry.isOver(now)).count();
    }

    @Override
    public List<Topic> longest(int most, long nowMs) {
        long now = nanoTime.getAsLong();
        return entries.entrySet().stream()
                .filter(entry -> !entry.getValue().isOver(now))
                .map(entry -> topic(entry.getKey(), entry.getValue(), now, nowMs))
                .sorted(Comparator.comparingLong(Topic::sinceMs).thenComparing(Topic::topic))
                .limit(most)
                .toList();
    }

    @Override
    public Optional<Topic> find(String topic, long nowMs) {
        long now = nanoTime.getAsLong();
        return Optional.ofNullable(entries.get(topic))
                .filter(entry -> !entry.isOver(now))
                .map(entry -> topic(topic, entry, now, nowMs));
    }

    private static Topic topic(String name, Entry entry, long now, long nowMs) {
        long sinceMs = nowMs - Duration.ofNanos(now - entry.sinceNanos()).toMillis();
        return new Topic(name, sinceMs, entry.tries(), entry.reason());
    }

    private record Entry(long sinceNanos, int tries, String reason, long nextNanos) {
        boolean isOver(long now) {
            return now - nextNanos > UNTRIED_NANOS;
        }
    }
}
