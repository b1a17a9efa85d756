package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.RedisCluster;
import io.mykit.delay.test.server.RedisServer;
import java.util.List;
import java.util.Optional;

/** Three shards; each fault breaks the next one. */
final class ClusterRedis implements IndexServers {
    private final RedisCluster cluster;
    private int turns;

    ClusterRedis(RedisCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public List<RedisServer> masters() {
        return cluster.masters();
    }

    @Override
    public List<Integer> wired() {
        return List.of();
    }

    @Override
    public String uri(Wires wires) {
        return cluster.uri();
    }

    @Override
    public Optional<RedisCluster> cluster() {
        return Optional.of(cluster);
    }

    @Override
    public void kill() {
        turns++;
        broken().kill();
    }

    @Override
    public void restart() {
        broken().restart();
    }

    @Override
    public void freeze() {
        turns++;
        broken().freeze();
    }

    @Override
    public void thaw() {
        broken().thaw();
    }

    @Override
    public void close() {
        cluster.close();
    }

    private RedisServer broken() {
        return masters().get(turns % masters().size());
    }
}
