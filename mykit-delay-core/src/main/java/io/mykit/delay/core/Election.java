package io.mykit.delay.core;

import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.duty.UsableParts;
import io.mykit.delay.queue.leader.CuratorLeaderElector;
import io.mykit.delay.queue.leader.LeaderDuty;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.leader.StandaloneElector;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.QueueIdentity;
import java.util.List;

/** Makes the elector of a node. Stateless. */
final class Election {
    private Election() {}

    /**
     * The elector of the configured mode, not started yet.
     *
     * @param host the name of this machine
     */
    static LeaderElector elector(
            DelayConfig config,
            MessageIndex index,
            MessageStore store,
            Channels channels,
            String host,
            LeaderDuty duty) {
        String queue = config.queue().name();
        return switch (config.mode()) {
            case STANDALONE -> {
                String row = QueueIdentity.of(config.queue()).row();
                yield new StandaloneElector(() -> store.nextEpoch(row, index.highestEpoch() + 1), duty);
            }
            case MASTER_STANDBY -> {
                config.registry()
                        .serverList()
                        .ifPresent(servers -> new HostCheck("mykit.delay.registry.server-list", servers).start());
                yield new CuratorLeaderElector(
                        config.registry(),
                        queue,
                        host + ":" + config.http().port(),
                        new UsableParts(List.of(index, store), channels),
                        duty);
            }
        };
    }
}
