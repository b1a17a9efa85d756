package io.mykit.delay.controller;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.config.HttpConfig;
import java.time.Duration;

/**
 * The HTTP interface as a service. {@code close()} stops accepting, lets what is in flight finish within a few seconds,
 * and leaves nothing behind.
 */
public final class DelayHttpServer implements Service {
    private static final int STATUS_THREADS = 2;
    private static final int STATUS_QUEUE = 32;

    private final HttpBounds bounds;
    private final Workers workers;
    private final Workers statusWorkers = new Workers("http-status", STATUS_THREADS, STATUS_QUEUE);
    private final OperatorLane lane;
    private final HealthBoard board;
    private final Listener listener;
    private volatile boolean stopping;

    public DelayHttpServer(HttpConfig config, Backend backend, PrometheusMeterRegistry registry) {
        this(config, HttpBounds.of(config), backend, registry);
    }

    DelayHttpServer(HttpConfig config, HttpBounds bounds, Backend backend, PrometheusMeterRegistry registry) {
        this.bounds = bounds;
        this.workers = new Workers("http-worker", bounds.workers(), bounds.workerQueue());
        this.lane = new OperatorLane(backend.recovery());
        this.board = new HealthBoard(backend.checks(), bounds.check());
        Routes routes = new Routes(config, handlers(config, backend, registry));
        this.listener = new Listener(config, bounds, routes, new RequestMetrics(registry), () -> stopping);
        Gauge.builder("mykit.delay.http.pending.bytes", listener, Listener::pendingBytes)
                .description("Bodies of requests that were not answered yet, and of answers that were not read yet")
                .baseUnit("bytes")
                .register(registry);
    }

    private Routes.Handlers handlers(HttpConfig config, Backend backend, PrometheusMeterRegistry registry) {
        PushParser parser = new PushParser(backend.ids(), backend.clock(), backend.objection());
        RestoreHandler restore = new RestoreHandler(backend.restorer(), workers, lane);
        HealthHandler health = new HealthHandler(board, backend.elector(), backend.version(), () -> stopping);
        return new Routes.Handlers(
                new PushHandler(parser, backend.push()),
                new BatchHandler(parser, backend.push(), workers, config.maxBodySize()),
                new CancelHandler(backend.cancel(), workers),
                new JobHandler(backend.lookup(), workers),
                restore::one,
                restore::all,
                new ClearHandler(backend.clear(), lane),
                health::full,
                health::live,
                health::ready,
                new MetricsHandler(registry, statusWorkers));
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
        // Whoever still runs has nobody left to answer to.
        workers.close(Duration.ZERO);
        lane.close(bounds.grace());
        statusWorkers.close(Duration.ZERO);
        board.close();
    }
}
