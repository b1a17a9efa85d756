package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.RedisServer;
import java.util.List;
import java.util.Optional;

/** A master and its replica. The sentinels may promote the replica as soon as the master is silent. */
final class SentinelRedis implements IndexServers {
    private final RedisSentinel ensemble;
    private RedisServer broken;

    SentinelRedis(RedisSentinel ensemble) {
        this.ensemble = ensemble;
    }

    @Override
    public List<RedisServer> masters() {
        return List.of(ensemble.master());
    }

    @Override
    public List<Integer> wired() {
        return List.of();
    }

    @Override
    public String uri(Wires wires) {
        return ensemble.uri();
    }

    @Override
    public Optional<RedisSentinel> sentinel() {
        return Optional.of(ensemble);
    }

    @Override
    public void kill() {
        broken = ensemble.master();
        broken.kill();
    }

    @Override
    public void restart() {
        broken.restart();
    }

    @Override
    public void freeze() {
        broken = ensemble.master();
        broken.freeze();
    }

    @Override
    public void thaw() {
        broken.thaw();
    }

    @Override
    public void close() {
        ensemble.close();
    }
}
