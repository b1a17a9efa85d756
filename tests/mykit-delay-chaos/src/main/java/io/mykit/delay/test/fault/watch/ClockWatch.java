package io.mykit.delay.test.fault.watch;

import io.mykit.delay.test.fault.history.ClockSeen;
import io.mykit.delay.test.fault.rig.Node;
import io.mykit.delay.test.fault.rig.Rig;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Compares the nodes' clocks with this machine's once a second, and this machine's with its monotonic one: a message that
 * is early by a millisecond is the server's fault only if no clock was set. Thread-safe.
 */
public final class ClockWatch implements AutoCloseable {
    private static final Duration EACH = Duration.ofSeconds(1);

    private final List<ClockSeen> seen = new CopyOnWriteArrayList<>();
    private final List<Sampler> samplers = new ArrayList<>();
    private final long beginMicros = wallMinusMonotonicMicros();

    /** Begins at once. */
    public ClockWatch(Rig rig) {
        for (Node node : rig.nodes()) {
            samplers.add(new Sampler("clock-" + node.name(), EACH, () -> look(node)));
        }
        samplers.add(new Sampler("clock", EACH, this::lookAtThisMachine));
    }

    public List<ClockSeen> seen() {
        return List.copyOf(seen);
    }

    @Override
    public void close() {
        samplers.forEach(Sampler::close);
    }

    private void look(Node node) {
        if (node.runs()) {
            seen.add(new ClockSeen(node.name(), System.currentTimeMillis(), node.clockAheadMs()));
        }
    }

    private void lookAtThisMachine() {
        double lostMs = (beginMicros - wallMinusMonotonicMicros()) / 1e3;
        seen.add(new ClockSeen("monotonic", System.currentTimeMillis(), lostMs));
    }

    private static long wallMinusMonotonicMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) - System.nanoTime() / 1_000;
    }
}
