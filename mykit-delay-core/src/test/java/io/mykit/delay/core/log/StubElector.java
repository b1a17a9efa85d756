package io.mykit.delay.core.log;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.queue.leader.LeaderElector;
import java.util.Map;

/** Leads in epoch 17. */
final class StubElector implements LeaderElector {
    @Override
    public Role role() {
        return Role.LEADER;
    }

    @Override
    public long epoch() {
        return 17;
    }

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public Health check() {
        return Health.up(Map.of());
    }

    @Override
    public void start() {}

    @Override
    public void close() {}
}
