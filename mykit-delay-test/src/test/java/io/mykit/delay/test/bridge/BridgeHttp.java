package io.mykit.delay.test.bridge;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.controller.Backend;
import io.mykit.delay.controller.DelayHttpServer;
import io.mykit.delay.controller.operate.DeadLettering;
import io.mykit.delay.controller.operate.Restoring;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.recovery.DeadLetters;
import io.mykit.delay.queue.recovery.DeadOrder;
import io.mykit.delay.queue.recovery.DeadReport;
import io.mykit.delay.queue.recovery.Pace;
import io.mykit.delay.queue.recovery.RestoreOrder;
import io.mykit.delay.queue.recovery.RestoreReport;
import io.mykit.delay.queue.recovery.Restorer;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.test.client.DelayClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The HTTP interface of a bridge, on the port of its configuration. */
final class BridgeHttp implements AutoCloseable {
    private final DelayHttpServer server;

    BridgeHttp(Bridge bridge) {
        Backend backend = new Backend(
                bridge::pushAsync,
                bridge.canceller()::cancel,
                bridge.lookup()::find,
                new Restores(bridge.restorer()),
                bridge.clearer()::clear,
                new Dead(bridge.deadLetters()),
                bridge.board(),
                message -> Optional.empty(),
                new MessageIds(bridge.clock())::next,
                bridge.clock(),
                new Leader(),
                List.of(bridge.store(), bridge.index(), bridge.board()),
                "test");
        server = new DelayHttpServer(
                bridge.config().http(), backend, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        server.start();
    }

    DelayClient client() {
        return new DelayClient(server.port());
    }

    @Override
    public void close() {
        server.close();
    }

    private record Restores(Restorer restorer) implements Restoring {
        @Override
        public RestoreReport all(RestoreOrder order) {
            return restorer.restoreAll(order);
        }

        @Override
        public boolean one(String id) {
            return restorer.restoreOne(id);
        }
    }

    private record Dead(DeadLetters letters) implements DeadLettering {
        @Override
        public List<DeadTopic> topics(String prefix, int limit) {
            return letters.topics(prefix, limit);
        }

        @Override
        public List<DeadLetter> page(String topic, DeadQuery query, DeadCursor after, int limit) {
            return letters.page(topic, query, after, limit);
        }

        @Override
        public DeadReport respawn(DeadOrder order, Pace pace) {
            return letters.respawn(order, pace);
        }

        @Override
        public DeadReport discard(DeadOrder order) {
            return letters.discard(order);
        }

        @Override
        public boolean respawnOne(String id) {
            return letters.respawnOne(id);
        }

        @Override
        public boolean discardOne(String id) {
            return letters.discardOne(id);
        }
    }

    private static final class Leader implements LeaderElector {
        @Override
        public Role role() {
            return Role.LEADER;
        }

        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public String name() {
            return "registry";
        }

        @Override
        public Health check() {
            return Health.up(Map.of());
        }

        @Override
        public void start() {}

        @Override
        public void close() {}
    }
}
