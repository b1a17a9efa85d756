package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Window;
import io.mykit.delay.test.fault.injection.Faults;
import io.mykit.delay.test.fault.injection.Schedule;
import io.mykit.delay.test.fault.rig.BrokerKind;
import io.mykit.delay.test.fault.rig.MySqlKind;
import io.mykit.delay.test.fault.rig.NodeOptions;
import io.mykit.delay.test.fault.rig.RedisKind;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.fault.rig.Variant;
import io.mykit.delay.test.fault.workload.Mix;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each kind of fault once, under load: those of one test on the same servers. {@code bin/chaos} does it for longer and at random.
 */
class FaultIT {
    private static final Logger LOG = LoggerFactory.getLogger(FaultIT.class);
    private static final long SEED = 20;

    /** A Redis that comes back with a snapshot, and otherwise the usual servers. */
    private static final Variant SNAPSHOT = Variant.USUAL.with(RedisKind.RDB);

    private static final Variant REPLICAS =
            new Variant(RedisKind.SENTINEL, MySqlKind.REPLICA, BrokerKind.ROCKETMQ_PAIR);

    private static final Variant SHARDS = Variant.USUAL.with(RedisKind.CLUSTER);

    /** Faults that lose single keys come last: the loss of a whole Redis would hide their effect. */
    private static final List<String> WORST = List.of(
            "older-redis",
            "kill-leader",
            "cut-redis",
            "slow-standby-redis",
            "freeze-leader-long",
            "thaw-into-empty-redis",
            "stutter-redis",
            "stutter-mysql",
            "doubt-mysql",
            "flush-redis-behind-mysql",
            "delete-pool");

    private static final List<String> OF_REPLICAS =
            List.of("failover-mysql", "lost-tail-redis", "rebuild-sentinels", "kill-replica");

    private static final List<String> OLD_OF_REPLICAS = List.of("freeze-standby", "failover-redis");

    private static final List<String> OF_SHARDS = List.of("silent-shard", "move-slot", "kill-redis");

    private static final List<String> LONG_OF_SHARDS = List.of("cut-bus");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void everyPromiseIsKeptThroughTheWorstFaults() throws Exception {
        assertKept(SNAPSHOT, NodeOptions.LONG_HORIZON, WORST);
    }

    @Test
    void everyPromiseIsKeptThroughTheFaultsOfReplicas() throws Exception {
        assertKept(REPLICAS, NodeOptions.SHORT_HORIZON, OF_REPLICAS);
    }

    @Test
    void everyPromiseIsKeptThroughTheFaultsOfShards() throws Exception {
        assertKept(SHARDS, NodeOptions.LONG_HORIZON, OF_SHARDS);
    }

    @Test
    @Tag("long")
    void everyPromiseIsKeptWhileAShardIsCutOffFromTheOthers() throws Exception {
        assertKept(SHARDS, NodeOptions.LONG_HORIZON, LONG_OF_SHARDS);
    }

    @Test
    @Tag("long")
    void everyPromiseIsKeptThroughTheOldFaultsOfReplicas() throws Exception {
        assertKept(REPLICAS, NodeOptions.SHORT_HORIZON, OLD_OF_REPLICAS);
    }

    @Test
    @Tag("long")
    void everyPromiseIsKeptThroughTheOtherFaults() throws Exception {
        assertKept(Variant.USUAL, NodeOptions.LONG_HORIZON, others());
    }

    /** All that are in no other test. */
    private static List<String> others() {
        List<String> done = Stream.of(WORST, OF_REPLICAS, OLD_OF_REPLICAS, OF_SHARDS, LONG_OF_SHARDS)
                .flatMap(List::stream)
                .toList();
        return Faults.names().stream()
                .filter(name -> !done.contains(name))
                .sorted(Comparator.comparing(name -> name.startsWith("delete-")))
                .toList();
    }

    private void assertKept(Variant variant, Duration horizon, List<String> faults) throws Exception {
        assertThat(Faults.names(variant)).containsAll(faults);
        Report report;
        try (Rig rig = Rig.start(dir, variant, NodeOptions.brief(horizon))) {
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
