package io.mykit.delay.controller;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.health.HealthCalls;
import io.mykit.delay.controller.http.HttpBounds;
import io.mykit.delay.controller.http.Listener;
import io.mykit.delay.controller.message.MessageCalls;
import io.mykit.delay.controller.operate.OperatorCalls;
import io.mykit.delay.controller.outcome.Outcomes;
import io.mykit.delay.controller.pull.PullCalls;
import io.mykit.delay.controller.push.PushCalls;
import io.mykit.delay.controller.push.PushMeters;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.controller.route.Routes;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The HTTP interface as a service. {@code close()} accepts no new connections, waits some seconds for open requests, and
 * releases all threads and sockets.
 */
public final class DelayHttpServer implements Service {
    private final HttpBounds bounds;
    private final Workers workers;
    private final OperatorCalls operators;
    private final PullCalls pulls;
    private final Outcomes outcomes;
    private final HealthCalls health;
    private final Listener listener;
    private volatile boolean stopping;

    public DelayHttpServer(HttpConfig config, Backend backend, PrometheusMeterRegistry registry) {
        this(config, HttpBounds.of(config), backend, registry);
    }

    DelayHttpServer(HttpConfig config, HttpBounds bounds, Backend backend, PrometheusMeterRegistry registry) {
        this.bounds = bounds;
        this.workers = new Workers("http-worker", bounds.workers(), bounds.workerQueue());
        this.operators = new OperatorCalls(
                backend.restorer(), backend.clear(), backend.dead(), backend.pausing(), backend.recovery(), workers);
        this.pulls = new PullCalls(backend.pulling(), backend.pull().maxWait(), backend.topics(), workers);
        this.outcomes = new Outcomes(
                backend.awaiting(),
                backend.lookup(),
                backend.pull().maxWait(),
                backend.pull().maxWaiting());
        this.health = new HealthCalls(
                backend.checks(), bounds.check(), backend.elector(), backend.version(), () -> stopping, registry);
        this.listener = new Listener(
                config,
                bounds,
                new Routes(routes(config, backend, new PushMeters(registry))),
                registry,
                () -> stopping);
    }

    private List<Route> routes(HttpConfig config, Backend backend, PushMeters pushed) {
        PushCalls push = new PushCalls(
                config, backend.push(), backend.objection(), backend.ids(), backend.clock(), outcomes, workers, pushed);
        MessageCalls messages = new MessageCalls(backend.lookup(), backend.cancel(), outcomes, workers);
        int maxBody = config.maxBodySize();
        return Stream.of(
                        push.routes(),
                        messages.routes(maxBody),
                        pulls.routes(maxBody),
                        operators.routes(maxBody),
                        health.routes(maxBody))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Binds the port.
     *
     * @throws IllegalStateException if the port cannot be bound; the message names the keys to change
     */
    @Override
    public void start() {
        listener.start();
    }

    /** The port on which the server listens, also if the configuration asks for any free port. */
    public int port() {
        return listener.port();
    }

    /**
     * Announces the close of this node. From now on {@code /health/ready} reports it, each answer ends its connection, and no
     * request waits for messages or for the end of one. All other calls work as before.
     */
    public void announceStop() {
        stopping = true;
        endWaits();
    }

    @Override
    public void close() {
        endWaits();
        listener.close();
        // A call that still runs gets no answer any more.
        workers.close(Duration.ZERO);
        outcomes.close(Duration.ZERO);
        operators.close(bounds.grace());
        health.close();
    }

    private void endWaits() {
        pulls.stop();
        outcomes.stop();
    }
}
