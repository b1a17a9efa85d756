package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.queue.metric.Family;
import java.time.Duration;

/** The meters of the cluster's clock, as this node sees it. Stateless. */
final class ClockMeters {
    private ClockMeters() {}

    static void register(ClusterClock clock, MeterRegistry meters) {
        Family.CLOCK_JUMPS.counter(meters, clock.jumps(), jumps -> jumps.count());
        Family.CLOCK_BEHIND.gauge(meters, clock, seen -> seconds(seen.jumps().behind()));
        Family.CLOCK_OFFSET.gauge(meters, clock, seen -> seconds(seen.aheadOfThisMachine()));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
