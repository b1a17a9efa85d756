package io.mykit.delay.queue.duty;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.queue.metric.Family;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Metrics of the loops. The scanners of all buckets share one name, because a queue may have a thousand buckets. Stateless.
 */
public final class LoopMeters {
    /** The loops of a term. */
    static final List<String> OF_TERM = List.of(
            "bucket",
            "restore",
            "strays",
            "leases",
            "in-flight",
            "pulse",
            "outcomes",
            "loader",
            "auditor",
            "dead-count",
            "housekeeping");

    private LoopMeters() {}

    public static void register(LoopWatch watch, MeterRegistry meters) {
        Set<String> names = new TreeSet<>(OF_TERM);
        watch.loops().forEach(loop -> names.add(name(loop)));
        for (String name : names) {
            Family.LOOP_LAST_TICK_AGE.gauge(meters, watch, loops -> age(loops, name), name);
            Family.LOOP_FAILURES.counter(meters, watch, loops -> failures(loops, name), name);
        }
    }

    /** Of the loop that is silent for the longest time; {@code NaN} = no such loop runs on this node now. */
    private static double age(LoopWatch watch, String name) {
        return named(watch, name)
                .mapToDouble(loop -> loop.sinceLastTick().toNanos() / 1e9)
                .max()
                .orElse(Double.NaN);
    }

    private static double failures(LoopWatch watch, String name) {
        return named(watch, name).mapToLong(LoopRunner::allFailures).sum();
    }

    private static Stream<LoopRunner> named(LoopWatch watch, String name) {
        return watch.loops().stream().filter(loop -> name(loop).equals(name));
    }

    /** Without the number of the bucket. */
    private static String name(LoopRunner loop) {
        int dash = loop.name().lastIndexOf('-');
        boolean numbered = dash > 0 && loop.name().substring(dash + 1).chars().allMatch(Character::isDigit);
        return numbered ? loop.name().substring(0, dash) : loop.name();
    }
}
