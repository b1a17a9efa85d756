package io.mykit.delay.core;

import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.leader.CuratorLeaderElector;
import io.mykit.delay.queue.leader.Fitness;
import io.mykit.delay.queue.leader.LeaderDuty;
import io.mykit.delay.queue.leader.LeaderElector;
import java.util.Optional;
import java.util.function.BiFunction;

/** Finds a leader among several nodes. Stateless. */
final class Election {
    private Election() {}

    /**
     * The election among the nodes of a cluster; empty if this node leads alone.
     *
     * @param host the name of this machine
     */
    static Optional<BiFunction<LeaderDuty, Fitness, LeaderElector>> ofCluster(DelayConfig config, String host) {
        if (config.mode() == DelayConfig.Mode.STANDALONE) {
            return Optional.empty();
        }
        config.registry().serverList().ifPresent(servers -> new HostCheck("mykit.delay.registry.server-list", servers)
                .start());
        return Optional.of((duty, fitness) -> new CuratorLeaderElector(
                config.registry(),
                config.queue().name(),
                host + ":" + config.http().port(),
                fitness,
                duty));
    }
}
