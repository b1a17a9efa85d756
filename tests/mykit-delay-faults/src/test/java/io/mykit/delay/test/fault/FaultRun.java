package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Window;
import io.mykit.delay.test.fault.injection.Faults;
import io.mykit.delay.test.fault.injection.Schedule;
import io.mykit.delay.test.fault.rig.NodeOptions;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.fault.rig.Variant;
import io.mykit.delay.test.fault.workload.Mix;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Some faults one after the other, under load, and the check of every promise. */
final class FaultRun {
    private static final Logger LOG = LoggerFactory.getLogger(FaultRun.class);
    private static final long SEED = 20;

    private FaultRun() {}

    /** Fails if a promise was broken, if a fault was not injected, or if there was no load. */
    static void assertKept(Path dir, Variant variant, Duration horizon, List<String> faults) throws Exception {
        assertThat(Faults.names(variant)).containsAll(faults);
        Report report;
        try (Rig rig = Rig.start(dir, variant, NodeOptions.brief(horizon))) {
            rig.broker().create(Mix.SHORT.topics());
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
