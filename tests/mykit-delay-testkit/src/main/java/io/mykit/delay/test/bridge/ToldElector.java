package io.mykit.delay.test.bridge;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.queue.leader.LeaderDuty;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.util.Map;

/** Leads when a test says so. For one thread; any thread may ask. */
final class ToldElector implements LeaderElector {
    private final LeaderDuty duty;
    private volatile LeaderTerm term;

    ToldElector(LeaderDuty duty) {
        this.duty = duty;
    }

    LeaderTerm lead(long epoch) {
        LeaderTerm next = new LeaderTerm(epoch, () -> {});
        term = next;
        try {
            duty.begin(next);
        } catch (Exception e) {
            throw new IllegalStateException("the term could not begin", e);
        }
        return next;
    }

    @Override
    public Role role() {
        return term == null ? Role.STANDBY : Role.LEADER;
    }

    @Override
    public long epoch() {
        LeaderTerm own = term;
        return own == null ? 0 : own.epoch();
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
    public void start() {
        // A test says when it leads.
    }

    /** Ends the term. A test may begin the next one. */
    @Override
    public void close() {
        term = null;
        duty.end();
    }
}
