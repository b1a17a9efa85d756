package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Window;
import io.mykit.delay.test.fault.injection.Schedule;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.fault.rig.Variant;
import io.mykit.delay.test.fault.workload.Mix;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Each kind of fault once, under load, on the same servers. {@code bin/chaos} does it for longer and at random. */
class FaultIT {
    private static final Logger LOG = LoggerFactory.getLogger(FaultIT.class);
    private static final long SEED = 20;
    /** Faults that lose single keys come last: the loss of a whole Redis would hide their effect. */
    private static final List<String> WORST = List.of(
            "flush-redis",
            "kill-leader",
            "kill-receiver",
            "freeze-leader",
            "freeze-flush-redis",
            "kill-mysql",
            "kill-broker",
            "kill-zookeeper-majority",
            "cut-redis",
            "silent-mysql",
            "freeze-leader-long",
            "stutter-redis",
            "doubt-mysql",
            "delete-pool");

    private static final List<String> OTHERS = List.of(
            "kill-redis",
            "freeze-redis",
            "freeze-mysql",
            "busy-receiver",
            "stop-leader",
            "freeze-broker",
            "delete-election-node",
            "kill-zookeeper-server",
            "kill-standby",
            "freeze-receiver",
            "cut-zookeeper",
            "silent-broker",
            "slow-redis",
            "slow-standby-redis",
            "freeze-standby",
            "thaw-into-empty-redis",
            "stutter-mysql",
            "error-receiver",
            "stutter-broker",
            "refuse-broker",
            "delete-epoch",
            "delete-topics",
            "delete-waiting",
            "delete-ready",
            "delete-lease",
            "delete-held");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void everyPromiseIsKeptThroughTheWorstFaults() throws Exception {
        assertKept(WORST);
    }

    @Test
    @Tag("long")
    void everyPromiseIsKeptThroughTheOtherFaults() throws Exception {
        assertKept(OTHERS);
    }

    private void assertKept(List<String> faults) throws Exception {
        Report report;
        try (Rig rig = Rig.start(dir, Variant.USUAL, Rig.LONG_HORIZON)) {
            rig.broker().create(Mix.TOPICS);
            Schedule schedule = Schedule.each(faults, SEED);
            Run run = new Scenario(rig, Mix.SHORT, schedule, SEED, LOG::info).run(() -> false);
            assertThat(run.windows().stream().filter(Window::isInjected))
                    .as("each fault was injected")
                    .hasSameSizeAs(faults);
            assertThat(run.pulls().settlings()).as("consumers worked").hasSizeGreaterThan(10 * faults.size());
            assertThat(run.seen()).as("the workload ran").hasSizeGreaterThan(100 * faults.size() / 2);
            report = new Report(run);
        }
        LOG.info("\n{}", report.text());
        assertThat(report.broken()).as("seed %d, logs in %s", SEED, dir).isEmpty();
    }
}
