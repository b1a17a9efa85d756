package io.mykit.delay.controller;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.health.HealthCalls;
import io.mykit.delay.controller.http.HttpBounds;
import io.mykit.delay.controller.http.Listener;
import io.mykit.delay.controller.message.MessageCalls;
import io.mykit.delay.controller.operate.OperatorCalls;
import io.mykit.delay.controller.push.PushCalls;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.controller.route.Routes;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The HTTP interface as a service. {@code close()} stops accepting, lets requests in flight finish within a few seconds,
 * and leaves nothing behind.
 */
public final class DelayHttpServer implements Service {
    private final HttpBounds bounds;
    private final Workers workers;
    private final OperatorCalls operators;
    private final HealthCalls health;
    private final Listener listener;
    private volatile boolean stopping;

    public DelayHttpServer(HttpConfig config, Backend backend, PrometheusMeterRegistry registry) {
        this(config, HttpBounds.of(config), backend, registry);
    }

    DelayHttpServer(HttpConfig config, HttpBounds bounds, Backend backend, PrometheusMeterRegistry registry) {
        this.bounds = bounds;
        this.workers = new Workers("http-worker", bounds.workers(), bounds.workerQueue());
        this.operators = new OperatorCalls(backend.restorer(), backend.clear(), backend.recovery(), workers);
        this.health = new HealthCalls(
                backend.checks(), bounds.check(), backend.elector(), backend.version(), () -> stopping, registry);
        this.listener = new Listener(config, bounds, new Routes(routes(config, backend)), registry, () -> stopping);
        Gauge.builder("mykit.delay.http.pending.bytes", listener, Listener::pendingBytes)
                .description("Bodies of requests that were not answered yet, and of answers that were not read yet")
                .baseUnit("bytes")
                .register(registry);
    }

    private List<Route> routes(HttpConfig config, Backend backend) {
        PushCalls push =
                new PushCalls(config, backend.push(), backend.objection(), backend.ids(), backend.clock(), workers);
        MessageCalls messages = new MessageCalls(backend.lookup(), backend.cancel(), workers);
        int maxBody = config.maxBodySize();
        return Stream.of(push.routes(), messages.routes(maxBody), operators.routes(maxBody), health.routes(maxBody))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Binds.
     *
     * @throws IllegalStateException if that cannot be done; the message names the keys to change
     */
    @Override
    public void start() {
        listener.start();
    }

    /** The port that is listened on, also when a free one was asked for. */
    public int port() {
        return listener.port();
    }

    /**
     * This node will be closed: from now on {@code /health/ready} says so, and each answer ends its connection. Everything
     * else is served as before.
     */
    public void announceStop() {
        stopping = true;
    }

    @Override
    public void close() {
        listener.close();
        // A call that still runs cannot be answered any more.
        workers.close(Duration.ZERO);
        operators.close(bounds.grace());
        health.close();
    }
}
