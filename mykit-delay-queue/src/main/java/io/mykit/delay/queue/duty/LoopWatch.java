package io.mykit.delay.queue.duty;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.LoopRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks that every loop of this node is running. A standby has only the loops that every node has. Thread-safe. */
public final class LoopWatch implements HealthCheck {
    /** Longer than any round takes, even if all its timeouts run out. */
    private static final Duration STUCK = Duration.ofSeconds(30);

    private final DeliveryDuty duty;
    private final List<LoopRunner> always;

    /** @param always the loops that run on a leader and on a standby */
    public LoopWatch(DeliveryDuty duty, List<LoopRunner> always) {
        this.duty = duty;
        this.always = List.copyOf(always);
    }

    @Override
    public String name() {
        return "loops";
    }

    @Override
    public boolean isImmediate() {
        return true;
    }

    @Override
    public Health check() {
        boolean up = true;
        Map<String, Object> details = new LinkedHashMap<>();
        for (LoopRunner loop : loops()) {
            boolean alive = loop.isAlive() && loop.sinceLastTick().compareTo(STUCK) < 0;
            up &= alive;
            details.put(
                    loop.name(),
                    Map.of("alive", alive, "lastTickMs", loop.sinceLastTick().toMillis(), "failures", loop.failures()));
        }
        return new Health(up, details);
    }

    /** The loops that should be running on this node now. */
    List<LoopRunner> loops() {
        List<LoopRunner> loops = new ArrayList<>(always);
        TermWork work = duty.current();
        if (work != null) {
            loops.addAll(work.loops());
        }
        return loops;
    }
}
