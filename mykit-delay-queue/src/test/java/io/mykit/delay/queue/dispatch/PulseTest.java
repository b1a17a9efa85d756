package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.time.ElapsedTime;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PulseTest {
    private final AtomicBoolean confirmed = new AtomicBoolean(true);
    private long wallMs = 1_700_000_000_000L;
    private long nanos;
    private final ElapsedTime elapsed = new ElapsedTime(() -> wallMs, () -> nanos);
    private final Pulse pulse = new Pulse(new LeaderTerm(1, () -> {}, confirmed::get), elapsed);

    /** The monotonic clock stops while the machine is suspended. */
    @Test
    void stopsWithASuspendedMachineUntilTheTermIsConfirmed() {
        assertThat(pulse.beats()).isTrue();
        confirmed.set(false);
        wallMs += 10_000;
        assertThat(pulse.beats()).isFalse();
        pulse.runOnce();
        assertThat(pulse.beats()).as("another node may lead").isFalse();
        confirmed.set(true);
        pulse.runOnce();
        assertThat(pulse.beats()).isTrue();
    }

    @Test
    void leasesAndLooksAgeWhileTheMachineIsSuspended() {
        LeaseClock leases = new LeaseClock(elapsed, Duration.ofMinutes(1));
        Leased leased = new Leased(0, null, leases.untilNanos());
        long lookedNanos = leases.nanos();
        assertThat(leases.isFresh(lookedNanos)).isTrue();
        assertThat(leases.coversSend(leased)).isTrue();
        wallMs += 50_000;
        assertThat(leases.isFresh(lookedNanos)).isFalse();
        assertThat(leases.coversSend(leased)).isFalse();
    }
}
