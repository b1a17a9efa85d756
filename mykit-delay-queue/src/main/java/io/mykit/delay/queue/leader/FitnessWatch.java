package io.mykit.delay.queue.leader;

import io.mykit.delay.common.lifecycle.Loop;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks every now and then which parts cannot be used, and remembers it for a while: a part counts as usable again only after it was
 * usable for some time, so that a part which comes and goes counts as gone. A loop on a thread of its own, because asking may
 * block.
 */
final class FitnessWatch implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(FitnessWatch.class);

    private final Fitness fitness;
    private final Duration round;
    private final long steadyNanos;
    private final LongSupplier nanoTime;
    /** When each was found unusable the last time. The loop's thread only. */
    private final Map<String, Long> failedNanos = new TreeMap<>();

    private volatile Set<String> unusable = Set.of();
    private volatile boolean looked;

    /**
     * @param round how often it asks
     * @param steady how long a part must have been usable to count as usable again
     */
    FitnessWatch(Fitness fitness, Duration round, Duration steady, LongSupplier nanoTime) {
        this.fitness = fitness;
        this.round = round;
        this.steadyNanos = steady.toNanos();
        this.nanoTime = nanoTime;
    }

    /** In alphabetical order; empty until it was asked for the first time. Any thread. */
    Set<String> unusable() {
        return unusable;
    }

    /** Whether it was asked for the first time. Any thread. */
    boolean hasLooked() {
        return looked;
    }

    @Override
    public Duration runOnce() {
        Set<String> failing = fitness.unusable();
        if (!looked && !failing.isEmpty()) {
            // The first question makes clients start and connect, which may take longer than an answer may.
            failing = fitness.unusable();
        }
        long now = nanoTime.getAsLong();
        for (String part : failing) {
            failedNanos.put(part, now);
        }
        failedNanos.values().removeIf(failed -> now - failed > steadyNanos);
        Set<String> before = unusable;
        Set<String> after = Collections.unmodifiableSet(new TreeSet<>(failedNanos.keySet()));
        unusable = after;
        looked = true;
        if (!after.equals(before)) {
            if (after.isEmpty()) {
                LOG.info("This node can use all parts of the leader's work again");
            } else {
                LOG.warn(
                        "This node cannot use {}; if it leads and another node can use more, that one will lead",
                        String.join(", ", after));
            }
        }
        return round;
    }
}
