package io.mykit.delay.test.fault;

import io.mykit.delay.test.fault.rig.BrokerKind;
import io.mykit.delay.test.fault.rig.MySqlKind;
import io.mykit.delay.test.fault.rig.NodeOptions;
import io.mykit.delay.test.fault.rig.RedisKind;
import io.mykit.delay.test.fault.rig.Variant;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** As {@link FaultIT}, with servers that stand in for one another: the faults that only these have. */
class ReplicaFaultIT {
    private static final Variant REPLICAS =
            new Variant(RedisKind.SENTINEL, MySqlKind.REPLICA, BrokerKind.ROCKETMQ_PAIR);

    private static final Variant SHARDS = Variant.USUAL.with(RedisKind.CLUSTER);

    private static final List<String> OF_REPLICAS = List.of("failover-mysql", "lost-tail-redis", "kill-replica");

    private static final List<String> MORE_OF_REPLICAS =
            List.of("freeze-standby", "failover-redis", "rebuild-sentinels");

    private static final List<String> OF_SHARDS = List.of("move-slot", "kill-redis");

    private static final List<String> MORE_OF_SHARDS = List.of("silent-shard", "cut-bus");

    /** All of them. */
    static final List<String> FAULTS = Stream.of(OF_REPLICAS, MORE_OF_REPLICAS, OF_SHARDS, MORE_OF_SHARDS)
            .flatMap(List::stream)
            .toList();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    @Tag("long")
    void everyPromiseIsKeptThroughTheFaultsOfReplicas() throws Exception {
        FaultRun.assertKept(dir, REPLICAS, NodeOptions.SHORT_HORIZON, OF_REPLICAS);
    }

    @Test
    @Tag("nightly")
    void everyPromiseIsKeptThroughTheFaultsOfShards() throws Exception {
        FaultRun.assertKept(dir, SHARDS, NodeOptions.LONG_HORIZON, OF_SHARDS);
    }

    @Test
    @Tag("nightly")
    void everyPromiseIsKeptThroughMoreFaultsOfReplicas() throws Exception {
        FaultRun.assertKept(dir, REPLICAS, NodeOptions.SHORT_HORIZON, MORE_OF_REPLICAS);
    }

    @Test
    @Tag("nightly")
    void everyPromiseIsKeptWhileAShardIsSilentOrCutOffFromTheOthers() throws Exception {
        FaultRun.assertKept(dir, SHARDS, NodeOptions.LONG_HORIZON, MORE_OF_SHARDS);
    }
}
