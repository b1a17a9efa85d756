package io.mykit.delay.core;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.duty.DeliveryDuty;
import io.mykit.delay.queue.duty.LoopWatch;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Makes the watch over the loops of a node. Stateless. */
final class LoopServices {
    /** A round makes some calls of the store and of Redis. */
    private static final int CALLS = 4;

    private LoopServices() {}

    /**
     * Starts the watch; the stack closes it.
     *
     * @param always the loops that run on a leader and on a standby
     * @param parts the parts on which rounds may wait for long
     * @param hopeless ends the process; receives the loops that only a new process brings back
     */
    static LoopWatch start(
            ServiceStack services,
            DelayConfig config,
            DeliveryDuty duty,
            List<LoopRunner> always,
            List<HealthCheck> parts,
            Consumer<List<String>> hopeless) {
        Duration timeouts = config.datasource().timeout().plus(config.redis().timeout());
        return services.start(new LoopWatch(duty, always, timeouts.multipliedBy(CALLS), parts, hopeless));
    }
}
