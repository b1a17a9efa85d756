package io.mykit.delay.test.bridge;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.controller.Backend;
import io.mykit.delay.controller.ConsoleParts;
import io.mykit.delay.controller.DelayHttpServer;
import io.mykit.delay.controller.log.LogLevels;
import io.mykit.delay.controller.log.Logging;
import io.mykit.delay.controller.log.RequestLog;
import io.mykit.delay.controller.pull.TopicParts;
import io.mykit.delay.controller.search.SearchParts;
import io.mykit.delay.controller.trace.RequestTraces;
import io.mykit.delay.queue.delivery.MessageRoute;
import io.mykit.delay.queue.dispatch.BackingOff;
import io.mykit.delay.queue.intake.PushRules;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.outcome.OutcomeWatch;
import io.mykit.delay.queue.overview.NodeBoard;
import io.mykit.delay.queue.overview.NodeIdentity;
import io.mykit.delay.queue.overview.NodeRules;
import io.mykit.delay.queue.pull.Pull;
import io.mykit.delay.queue.pull.PullSettings;
import io.mykit.delay.queue.query.StoredTopics;
import io.mykit.delay.queue.query.TopicBoard;
import io.mykit.delay.queue.search.DueCount;
import io.mykit.delay.queue.search.MessageSearch;
import io.mykit.delay.queue.series.LatenessClasses;
import io.mykit.delay.queue.series.TopicMinutes;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.test.client.DelayClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

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
        List<HealthCheck> checks = List.of(bridge.store(), bridge.index(), bridge.board());
        NodeBoard nodes = new NodeBoard(
                new NodeIdentity(
                        "bridge",
                        "bridge",
                        "test",
                        "",
                        bridge.clock().millis(),
                        true,
                        NodeRules.of(Map.of(), Map.of())),
                bridge.store(),
                bridge.index(),
                new Leader(),
                bridge.board(),
                checks,
                new BackingOff(),
                bridge.differing(),
                new LatenessClasses(),
                new TopicMinutes(List.of()),
                new SimpleMeterRegistry(),
                bridge.clock());
        TopicBoard board = bridge.topicBoard();
        Backend backend = new Backend(
                bridge::pushAsync,
                new PushRules(new MessageIds(bridge.clock())::next, bridge.clock(), message -> Optional.empty()),
                (id, caller) -> bridge.canceller().by(caller).cancel(id),
                bridge.lookup()::find,
                bridge.restorer(),
                bridge.clearer()::clear,
                bridge.deadLetters(),
                bridge.board(),
                pull,
                settings,
                outcomes,
                new TopicParts(
                        new StoredTopics(bridge.store(), bridge.index().holds(), bridge.pauses(), topic -> "scripted"),
                        board::list,
                        board::state,
                        (topic, channel) -> List.of()),
                bridge.pauses(),
                bridge.retrying(),
                message -> new MessageRoute("test", Optional.empty()),
                bridge.clock(),
                new Leader(),
                checks,
                "test",
                new ConsoleParts(nodes.overviews(), Map.of(), Map.of(), topic -> {}, Optional.empty()),
                new SearchParts(
                        new MessageSearch(bridge.store().search(), bridge.index()::locate, bridge.clock())::find,
                        new MessageSearch(bridge.store().search(), bridge.index()::locate, bridge.clock()).keys()
                                ::unfinished,
                        bridge.rescheduler()::reschedule,
                        () -> SearchIndexes.NONE,
                        () -> new DueCount(Optional.empty(), false, OptionalDouble.empty()),
                        bridge.clock(),
                        bridge.config().console()),
                new Logging(new RequestLog("off", new SimpleMeterRegistry()), new UnchangedLevels()),
                RequestTraces.NONE);
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
