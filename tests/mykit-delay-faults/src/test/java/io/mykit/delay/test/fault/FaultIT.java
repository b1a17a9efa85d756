package io.mykit.delay.test.fault;

import io.mykit.delay.test.fault.injection.Faults;
import io.mykit.delay.test.fault.rig.NodeOptions;
import io.mykit.delay.test.fault.rig.RedisKind;
import io.mykit.delay.test.fault.rig.Variant;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each kind of fault once, under load: those of one test on the same servers. The faults of replicas and shards are in {@link
 * ReplicaFaultIT}. {@code bin/chaos} does it for longer and at random.
 */
class FaultIT {
    /** A Redis that comes back with a snapshot, and otherwise the usual servers. */
    private static final Variant SNAPSHOT = Variant.USUAL.with(RedisKind.RDB);

    /** Faults that lose single keys come last: the loss of a whole Redis would hide their effect. */
    private static final List<String> WORST = List.of(
            "older-redis",
            "kill-leader",
            "cut-redis",
            "thaw-into-empty-redis",
            "doubt-mysql",
            "flush-redis-behind-mysql",
            "delete-pool");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    @Tag("long")
    void everyPromiseIsKeptThroughTheWorstFaults() throws Exception {
        FaultRun.assertKept(dir, SNAPSHOT, NodeOptions.LONG_HORIZON, WORST);
    }

    @Test
    @Tag("nightly")
    void everyPromiseIsKeptThroughTheOtherFaults() throws Exception {
        FaultRun.assertKept(dir, Variant.USUAL, NodeOptions.LONG_HORIZON, others());
    }

    /** All that are in no other test. */
    private static List<String> others() {
        return Faults.names().stream()
                .filter(name -> !WORST.contains(name) && !ReplicaFaultIT.FAULTS.contains(name))
                .sorted(Comparator.comparing(name -> name.startsWith("delete-")))
                .toList();
    }
}
