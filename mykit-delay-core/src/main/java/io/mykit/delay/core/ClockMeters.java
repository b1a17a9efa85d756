package io.mykit.delay.core;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.time.ClusterClock;
import java.time.Duration;

/** The meters of the cluster's clock, as this node sees it. Stateless. */
final class ClockMeters {
    private ClockMeters() {}

    static void register(ClusterClock clock, MeterRegistry meters) {
        FunctionCounter.builder("mykit.delay.clock.jumps", clock.jumps(), jumps -> jumps.count())
                .description("Steps of Redis' clock, ahead or back, by more than 50 ms")
                .register(meters);
        Gauge.builder(
                        "mykit.delay.clock.behind",
                        clock,
                        seen -> seconds(seen.jumps().behind()))
                .description("How far due times are judged behind Redis' clock, because that jumped ahead")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder("mykit.delay.clock.offset", clock, seen -> seconds(seen.aheadOfThisMachine()))
                .description("How far the clock by which due times are judged is ahead of this machine's")
                .baseUnit("seconds")
                .register(meters);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
