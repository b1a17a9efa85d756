package io.mykit.delay.queue.pull;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.TopicCensus;
import io.mykit.delay.queue.metric.Family;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Counts what waits for consumers, for the metrics and the health report: messages that no consumer pulls stay in Redis. One
 * thread runs the loop; any thread may read.
 */
public final class PullCensus implements Loop, HealthCheck {
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    /** The oldest message is looked for in so many topics. */
    private static final int PEEKED = 100;

    private static final Count NOTHING = new Count(0, 0, Map.of());

    private final HoldIndex index;
    private final Pulled pulled;
    private final InstantSource clock;
    private final int warnReady;
    private volatile Count last = NOTHING;

    /** @param warnReady a topic with so many ready messages is in the health report; 0 = none */
    public PullCensus(HoldIndex index, Pulled pulled, InstantSource clock, int warnReady, MeterRegistry meters) {
        this.index = index;
        this.pulled = pulled;
        this.clock = clock;
        this.warnReady = warnReady;
        Family.PULL_HELD.gauge(meters, this, census -> census.last.held());
        Family.PULL_OLDEST_READY.gauge(meters, this, PullCensus::oldestSeconds);
    }

    @Override
    public Duration runOnce() {
        PulledTopics rules = pulled.now();
        if (rules.isEmpty()) {
            last = NOTHING;
            return INTERVAL;
        }
        long held = 0;
        long oldestMs = Long.MAX_VALUE;
        int peeked = 0;
        Map<String, Long> deep = new TreeMap<>();
        for (TopicCensus topic : index.topics(List.copyOf(names(rules)))) {
            held += topic.held();
            if (warnReady > 0 && topic.ready() >= warnReady) {
                deep.put(topic.topic(), topic.ready());
            }
            if (topic.ready() > 0 && peeked++ < PEEKED) {
                for (DelayMessage first : index.peek(topic.topic(), Location.READY, 1)) {
                    oldestMs = Math.min(oldestMs, first.dueTimeMs());
                }
            }
        }
        last = new Count(held, oldestMs == Long.MAX_VALUE ? 0 : oldestMs, deep);
        return INTERVAL;
    }

    /** The pulled topics. There may be very many others, so the names of all topics are read only if all are pulled. */
    private Set<String> names(PulledTopics rules) {
        Set<String> names = new TreeSet<>(rules.named());
        index.names(rules.beginnings()).stream().filter(rules::contains).forEach(names::add);
        return names;
    }

    private double oldestSeconds() {
        long oldestMs = last.oldestMs();
        return oldestMs == 0 ? 0 : Math.max(0, clock.millis() - oldestMs) / 1000.0;
    }

    @Override
    public String name() {
        return "pull";
    }

    @Override
    public boolean isImmediate() {
        return true;
    }

    /** Down if a topic has too many ready messages: its consumers are away, or too slow. */
    @Override
    public Health check() {
        Map<String, Long> deep = last.deep();
        return deep.isEmpty()
                ? Health.up(Map.of())
                : new Health(false, Map.of("reason", "consumers are away or too slow", "ready", deep));
    }

    /**
     * What the last round found.
     *
     * @param oldestMs the due time of the oldest ready message; 0 = none is ready
     * @param deep the ready messages of topics that have too many
     */
    private record Count(long held, long oldestMs, Map<String, Long> deep) {}
}
