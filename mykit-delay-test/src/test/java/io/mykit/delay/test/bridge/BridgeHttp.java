package io.mykit.delay.test.bridge;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.controller.Backend;
import io.mykit.delay.controller.DelayHttpServer;
import io.mykit.delay.controller.log.LogLevels;
import io.mykit.delay.controller.log.Logging;
import io.mykit.delay.controller.log.RequestLog;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.outcome.OutcomeWatch;
import io.mykit.delay.queue.pull.Pull;
import io.mykit.delay.queue.pull.PullSettings;
import io.mykit.delay.queue.query.StoredTopics;
import io.mykit.delay.test.client.DelayClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The HTTP interface of a bridge, on the port of its configuration. */
final class BridgeHttp implements AutoCloseable {
    private final DelayHttpServer server;
    private final Pull pull;
    private final OutcomeWatch outcomes;

    BridgeHttp(Bridge bridge) {
        pull = bridge.pull();
        PullSettings settings = PullSettings.of(bridge.config().pull());
        outcomes = new OutcomeWatch(bridge.store(), settings.maxWaiting(), new SimpleMeterRegistry());
        outcomes.start();
        Backend backend = new Backend(
                bridge::pushAsync,
                bridge.canceller()::cancel,
                bridge.lookup()::find,
                bridge.restorer(),
                bridge.clearer()::clear,
                bridge.deadLetters(),
                bridge.board(),
                pull,
                settings,
                outcomes,
                new StoredTopics(bridge.store(), bridge.index().holds(), bridge.pauses(), topic -> "scripted"),
                bridge.pauses(),
                message -> Optional.empty(),
                new MessageIds(bridge.clock())::next,
                bridge.clock(),
                new Leader(),
                List.of(bridge.store(), bridge.index(), bridge.board()),
                "test",
                new Logging(new RequestLog("off", new SimpleMeterRegistry()), new UnchangedLevels()));
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
        outcomes.close();
        pull.close();
    }

    private static final class UnchangedLevels implements LogLevels {
        @Override
        public List<LoggerLevel> list() {
            return List.of();
        }

        @Override
        public LoggerLevel change(String logger, String level, Duration time) {
            return reset(logger);
        }

        @Override
        public LoggerLevel reset(String logger) {
            return new LoggerLevel(logger, "info", Optional.empty());
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
