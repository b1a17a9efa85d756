package io.mykit.delay.test.bridge;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.controller.Backend;
import io.mykit.delay.controller.ConsoleParts;
import io.mykit.delay.controller.DelayHttpServer;
import io.mykit.delay.controller.log.LogLevels;
import io.mykit.delay.controller.log.Logging;
import io.mykit.delay.queue.DelayQueue;
import io.mykit.delay.queue.census.ScrapeWatch;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.operate.NodeView;
import io.mykit.delay.queue.overview.NodeIdentity;
import io.mykit.delay.queue.overview.NodeRules;
import io.mykit.delay.test.client.DelayClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The HTTP interface of a bridge, on the port of its configuration. */
final class BridgeHttp implements AutoCloseable {
    private final DelayHttpServer server;

    BridgeHttp(Bridge bridge) {
        DelayQueue queue = bridge.queue();
        NodeIdentity identity =
                new NodeIdentity("bridge", "bridge", "test", "", bridge.clock().millis(), true, NodeRules.of(Map.of()));
        MemoryMessageStore own = new MemoryMessageStore(bridge.clock());
        Backend backend = new Backend(
                queue.producers(),
                queue.consumers(),
                queue.operators(),
                new NodeView(queue, identity, new ScrapeWatch(), new SimpleMeterRegistry()),
                bridge.clock(),
                queue.elector(),
                queue.checks(),
                "test",
                new ConsoleParts(bridge.config().console(), Map.of(), Map.of(), Optional.empty()),
                new Logging(new RequestLog("off", new SimpleMeterRegistry()), new UnchangedLevels()),
                RequestTraces.NONE,
                Optional.empty(),
                new TokenTable(own.tokens(), () -> {}, bridge.clock()),
                new AuditTrail(own.audit(), bridge.clock()),
                CallLimits.NONE);
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
}
