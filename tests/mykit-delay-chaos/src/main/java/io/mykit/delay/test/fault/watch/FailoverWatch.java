package io.mykit.delay.test.fault.watch;

import io.mykit.delay.test.fault.history.Window;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Notes each change of the master that sentinels name. On a busy machine a master may be silent for half a second although no fault
 * was injected, and then the sentinels promote a replica that lacks the last writes. Thread-safe.
 */
public final class FailoverWatch implements AutoCloseable {
    private final List<Window> failovers = new CopyOnWriteArrayList<>();
    private final Sampler sampler;
    private RedisServer master;
    private long seenMs = System.currentTimeMillis();

    /** Begins at once. */
    public FailoverWatch(Rig rig) {
        this.sampler = new Sampler("failover-watch", Duration.ofMillis(200), () -> rig.redis()
                .sentinel()
                .ifPresent(this::look));
    }

    /** The changes that no fault of these windows explains. */
    public List<Window> unasked(List<Window> injected) {
        return failovers.stream()
                .filter(failover -> injected.stream().noneMatch(window -> window.covers(failover.healedMs())))
                .toList();
    }

    @Override
    public void close() {
        sampler.close();
    }

    private void look(RedisSentinel ensemble) {
        RedisServer named = ensemble.master();
        long nowMs = System.currentTimeMillis();
        if (master != null && master != named) {
            failovers.add(Window.unaskedFailover(seenMs, nowMs));
        }
        master = named;
        seenMs = nowMs;
    }
}
