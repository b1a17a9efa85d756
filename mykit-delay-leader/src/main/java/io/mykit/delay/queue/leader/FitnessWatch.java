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
 * Asks regularly which parts cannot be used, and remembers a failed part for some time: the part counts as usable again only
 * after it was usable for that time. So a part that comes and goes counts as unusable. A loop on a thread of its own, because
 * a check may block.
 */
final class FitnessWatch implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(FitnessWatch.class);

    private final Fitness fitness;
    private final Duration round;
    private final long steadyNanos;
    private final LongSupplier nanoTime;
    /** When each part was found unusable the last time. Only the loop's thread uses it. */
    private final Map<String, Long> failedNanos = new TreeMap<>();

    private volatile Set<String> unusable = Set.of();
    private volatile boolean looked;

    /**
     * @param round the time between two checks
     * @param steady how long a part must be usable before it counts as usable again
     */
    FitnessWatch(Fitness fitness, Duration round, Duration steady, LongSupplier nanoTime) {
        this.fitness = fitness;
        this.round = round;
        this.steadyNanos = steady.toNanos();
        this.nanoTime = nanoTime;
    }

    /** The unusable parts in alphabetical order; empty before the first check. Any thread. */
    Set<String> unusable() {
        return unusable;
    }

    /** Whether the first check is done. Any thread. */
    boolean hasLooked() {
        return looked;
    }

    @Override
    public Duration runOnce() {
        Set<String> failing = fitness.unusable();
        if (!looked && !failing.isEmpty()) {
            // The first check starts clients and their connections, which may take longer than the time limit of a
            // check.
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
                        "This node cannot use {}. If it leads and another node can use more, that node takes over",
                        String.join(", ", after));
            }
        }
        return round;
    }
}
