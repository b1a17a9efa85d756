package io.mykit.delay.test.fault.injection;

import static io.mykit.delay.test.fault.injection.Fault.Trait.NONE;
import static io.mykit.delay.test.fault.injection.Fault.What.BROKER;
import static io.mykit.delay.test.fault.injection.Fault.What.MYSQL;
import static io.mykit.delay.test.fault.injection.Fault.What.REDIS;

import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Broker.Replica;
import io.mykit.delay.test.fault.rig.BrokerKind;
import io.mykit.delay.test.fault.rig.MySqlKind;
import io.mykit.delay.test.fault.rig.Part;
import io.mykit.delay.test.fault.rig.RedisKind;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.fault.rig.Variant;
import io.mykit.delay.test.server.RedisCluster;
import io.mykit.delay.test.server.SlotMove;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Faults of parts that the usual run does not have: snapshots, shards, replicas. */
final class VariantFaults {
    /** The time of the workload between a snapshot and the death. */
    private static final Duration AFTER_SNAPSHOT = Duration.ofSeconds(4);

    private VariantFaults() {}

    static List<Fault> all() {
        return List.of(
                new Fault("older-redis", REDIS, NONE, ofSeconds(1), with(RedisKind.RDB), (rig, random) -> {
                    rig.index().onAll("SAVE");
                    TimeUnit.MILLISECONDS.sleep(AFTER_SNAPSHOT.toMillis());
                    rig.redis().kill();
                    return rig.redis()::restart;
                }),
                new Fault(
                        "failover-redis",
                        REDIS,
                        NONE,
                        ofSeconds(4),
                        with(RedisKind.SENTINEL),
                        (rig, random) -> SentinelFaults.failOver(rig)),
                new Fault(
                        "lost-tail-redis",
                        REDIS,
                        NONE,
                        ofSeconds(6),
                        with(RedisKind.SENTINEL),
                        (rig, random) -> SentinelFaults.loseTheTail(rig)),
                new Fault(
                        "rebuild-sentinels",
                        REDIS,
                        NONE,
                        Duration.ZERO,
                        with(RedisKind.SENTINEL),
                        (rig, random) -> SentinelFaults.rebuild(rig)),
                new Fault("silent-shard", REDIS, NONE, ofSeconds(12), with(RedisKind.CLUSTER), (rig, random) -> {
                    rig.redis().freeze();
                    return rig.redis()::thaw;
                }),
                new Fault("cut-bus", REDIS, NONE, ofSeconds(8), with(RedisKind.CLUSTER), (rig, random) -> {
                    RedisCluster cluster = rig.redis().cluster().orElseThrow();
                    cluster.cutOff(cluster.masters()
                            .get(random.nextInt(cluster.masters().size())));
                    return cluster::reconnect;
                }),
                // Half of the bucket's keys have moved while this lasts.
                new Fault("move-slot", REDIS, NONE, ofSeconds(4), with(RedisKind.CLUSTER), (rig, random) -> {
                    String pool = rig.index().key(random.nextInt(Rig.BUCKETS), "pool");
                    SlotMove move = SlotMove.begin(rig.redis().cluster().orElseThrow(), pool);
                    move.move((int) move.keys() / 2);
                    return move::end;
                }),
                new Fault(
                        "failover-mysql",
                        MYSQL,
                        NONE,
                        ofSeconds(2),
                        variant -> variant.mysql() == MySqlKind.REPLICA,
                        (rig, random) -> {
                            failOverMySql(rig);
                            return rig.mysql()::rejoin;
                        }),
                new Fault(
                        "kill-replica",
                        BROKER,
                        NONE,
                        ofSeconds(5),
                        variant -> variant.broker() == BrokerKind.ROCKETMQ_PAIR,
                        (rig, random) -> {
                            Replica replica = rig.broker().replica().orElseThrow();
                            replica.kill();
                            return replica::restart;
                        }));
    }

    /** The primary dies with its connections, and the address leads to the replica, which has all that was committed. */
    private static void failOverMySql(Rig rig) {
        rig.nodes().forEach(node -> node.wires().become(Part.MYSQL, Weather.CUT));
        rig.mysql().failOver();
        rig.nodes().forEach(node -> {
            node.wires().lead(Part.MYSQL, rig.mysql().primary().port());
            node.wires().become(Part.MYSQL, Weather.FAIR);
        });
    }

    private static Predicate<Variant> with(RedisKind redis) {
        return variant -> variant.redis() == redis;
    }

    private static Duration ofSeconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }
}
