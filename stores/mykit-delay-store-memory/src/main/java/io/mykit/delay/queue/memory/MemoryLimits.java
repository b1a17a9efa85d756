package io.mykit.delay.queue.memory;

import io.mykit.delay.queue.bucket.SharedLimits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link SharedLimits} in memory, and the fault that a test can cause: Redis is away. Thread-safe. */
public final class MemoryLimits implements SharedLimits {
    private static final double SECOND = 1000;

    private final InstantSource clock;
    /** The time until which the items of a rate are taken, epoch milliseconds. */
    private final Map<String, Double> taken = new HashMap<>();

    private final Map<String, Map<String, Long>> topics = new HashMap<>();
    private boolean away;
    private int exchanges;

    public MemoryLimits(InstantSource clock) {
        this.clock = clock;
    }

    /** Until it comes back it gives no answer. */
    public synchronized void setAway(boolean isAway) {
        away = isAway;
    }

    /** The calls so far. */
    public synchronized int exchanges() {
        return exchanges;
    }

    @Override
    public synchronized List<Optional<RateShare>> take(List<RateOrder> orders) {
        exchanges++;
        return orders.stream()
                .map(order -> away ? Optional.<RateShare>empty() : Optional.of(take(order)))
                .toList();
    }

    private RateShare take(RateOrder order) {
        long now = clock.millis();
        double each = SECOND / order.perSecond();
        double until = Math.max(taken.getOrDefault(order.owner(), 0.0), now - SECOND) + order.debt() * each;
        until = Math.min(until, now + MAX_AHEAD_SECONDS * SECOND);
        long free = (long) Math.floor((now - until) / each + 1e-6);
        long given = Math.max(0, Math.min(order.wanted(), free));
        until += given * each;
        taken.put(order.owner(), until);
        return new RateShare(given, (long) Math.max(0, Math.ceil(until + each - now)));
    }

    @Override
    public synchronized List<Optional<Boolean>> admit(List<TopicOrder> orders) {
        exchanges++;
        return orders.stream()
                .map(order -> away ? Optional.<Boolean>empty() : Optional.of(admit(order)))
                .toList();
    }

    private boolean admit(TopicOrder order) {
        long now = clock.millis();
        Map<String, Long> known = topics.computeIfAbsent(order.namespace(), first -> new HashMap<>());
        long oldest = now - Duration.ofSeconds(TOPIC_KEPT_SECONDS).toMillis();
        known.values().removeIf(noted -> noted <= oldest);
        if (!known.containsKey(order.topic()) && known.size() >= order.max()) {
            return false;
        }
        known.put(order.topic(), now);
        return true;
    }
}
