package io.mykit.delay.test.fault.injection;

import io.mykit.delay.test.fault.injection.Fault.Heal;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The master of Redis changes. Each begins when the replica of the fault before has caught up. */
final class SentinelFaults {
    /** The changes that the replica lacks. */
    private static final Duration TAIL = Duration.ofMillis(2500);

    private static final Duration LINK = Duration.ofSeconds(5);
    private static final long LOOK_MS = 20;

    private SentinelFaults() {}

    /** The master dies, the replica is promoted, and the old master comes back as a replica. */
    static Heal failOver(Rig rig) {
        RedisSentinel ensemble = rig.redis().sentinel().orElseThrow();
        ensemble.awaitWhole();
        RedisServer old = ensemble.master();
        RedisServer next = ensemble.replica();
        old.kill();
        return () -> {
            ensemble.awaitMaster(next);
            old.restart();
        };
    }

    /** The master dies while its replica has not heard from it for a while, and the replica is promoted all the same. */
    static Heal loseTheTail(Rig rig) throws InterruptedException {
        RedisSentinel ensemble = rig.redis().sentinel().orElseThrow();
        ensemble.awaitWhole();
        RedisServer old = ensemble.master();
        RedisServer next = ensemble.replica();
        try (TcpProxy replication = new TcpProxy(old.port())) {
            // Sentinel puts this right after eight seconds.
            next.command("REPLICAOF", "127.0.0.1", Integer.toString(replication.port()));
            long deadline = System.nanoTime() + LINK.toNanos();
            while (!next.isLinked() && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            }
            replication.become(Weather.SILENT);
            TimeUnit.MILLISECONDS.sleep(TAIL.toMillis());
            old.kill();
        }
        return () -> {
            ensemble.awaitMaster(next);
            old.restart();
        };
    }

    /**
     * An operator makes the replica the master after a failover, and sets up the sentinels anew for it: they name it by an epoch
     * that is lower than the one before. The old master is made a replica last.
     */
    static Heal rebuild(Rig rig) {
        RedisSentinel ensemble = rig.redis().sentinel().orElseThrow();
        ensemble.awaitWhole();
        ensemble.failOver();
        ensemble.awaitWhole();
        RedisServer old = ensemble.master();
        RedisServer next = ensemble.replica();
        next.command("REPLICAOF", "NO", "ONE");
        ensemble.monitorAnew(next);
        old.command("REPLICAOF", "127.0.0.1", Integer.toString(next.port()));
        return ensemble::awaitWhole;
    }
}
