package io.mykit.delay.controller;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.access.Access;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.access.Traffic;
import io.mykit.delay.access.scope.Names;
import io.mykit.delay.access.scope.ScopedConsumers;
import io.mykit.delay.access.scope.ScopedProducers;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.controller.audit.Audit;
import io.mykit.delay.controller.audit.AuditCalls;
import io.mykit.delay.controller.body.Bodies;
import io.mykit.delay.controller.console.ConsoleCalls;
import io.mykit.delay.controller.guard.LoginCalls;
import io.mykit.delay.controller.health.HealthCalls;
import io.mykit.delay.controller.http.HttpBounds;
import io.mykit.delay.controller.http.Listener;
import io.mykit.delay.controller.key.KeyedCalls;
import io.mykit.delay.controller.log.LogCalls;
import io.mykit.delay.controller.message.MessageCalls;
import io.mykit.delay.controller.openapi.OpenApiCalls;
import io.mykit.delay.controller.operate.OperatorCalls;
import io.mykit.delay.controller.outcome.JobJson;
import io.mykit.delay.controller.outcome.Outcomes;
import io.mykit.delay.controller.overview.OverviewCalls;
import io.mykit.delay.controller.pull.PullCalls;
import io.mykit.delay.controller.push.PushCalls;
import io.mykit.delay.controller.route.CountedRoutes;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.controller.route.Routes;
import io.mykit.delay.controller.scope.ScopedOperators;
import io.mykit.delay.controller.scope.ScopedRoutes;
import io.mykit.delay.controller.scope.ScopedView;
import io.mykit.delay.controller.search.SearchCalls;
import io.mykit.delay.controller.token.NamespaceCalls;
import io.mykit.delay.controller.token.TokenCalls;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.operate.NamespaceContents;
import io.mykit.delay.queue.operate.QueueView;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.overview.Overviews;
import io.mykit.delay.queue.producer.Producers;
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
    private final KeyedCalls keyed;
    private final Bodies bodies;
    private final OperatorCalls operators;
    private final Audit audit;
    private final PullCalls pulls;
    private final Outcomes outcomes;
    private final HealthCalls health;
    private final LoginCalls login;
    private final OverviewCalls overview;
    private final Listener listener;
    private final Traffic traffic = new Traffic(System::nanoTime);
    private volatile boolean stopping;

    public DelayHttpServer(HttpConfig config, Backend backend, PrometheusMeterRegistry registry) {
        this(config, HttpBounds.of(config), backend, registry);
    }

    DelayHttpServer(HttpConfig config, HttpBounds bounds, Backend backend, PrometheusMeterRegistry registry) {
        this.bounds = bounds;
        this.workers = new Workers("http-worker", bounds.workers(), bounds.workerQueue());
        this.keyed = new KeyedCalls(backend.view()::unfinished);
        this.operators =
                new OperatorCalls(backend.operators(), backend.view().topics(), overviews(backend)::workId, workers);
        Tokens tokens = new Tokens(config, backend.tokens());
        this.audit = new Audit(
                backend.clock(), backend.audit(), call -> overviews(backend).called(call.shown()));
        this.bodies = new Bodies(backend.console().config(), () -> !tokens.areConfigured());
        this.pulls = new PullCalls(
                backend.consumers(), backend.operators(), backend.view(), bodies, workers, backend.limits());
        this.outcomes = new Outcomes(backend.producers(), backend.consumers().limits());
        this.login = new LoginCalls(tokens);
        this.overview = new OverviewCalls(
                overviews(backend),
                backend.view()::indexes,
                backend.console().settings(),
                backend.console().changed());
        this.health = new HealthCalls(
                backend.checks(),
                bounds.check(),
                backend.elector(),
                backend.version(),
                () -> stopping,
                config.metricsOpen(),
                caller -> config.metricsOpen() || (!caller.isConfined() && tokens.allow(Access.VIEWERS, caller)),
                registry);
        this.listener = new Listener(
                config,
                bounds,
                backend.tls(),
                tokens,
                audit,
                new Routes(routes(config, backend, audit)),
                new ScopedRoutes(names -> scoped(config, backend, audit, names)),
                backend.logging().requests(),
                backend.traces(),
                registry,
                backend.producers()::refused,
                () -> stopping);
    }

    private static Overviews overviews(Backend backend) {
        return backend.view().overviews();
    }

    List<Route> routes(HttpConfig config, Backend backend, Audit audit) {
        JobJson json = new JobJson(backend.producers()::route);
        PushCalls push = new PushCalls(config, backend.producers(), outcomes, json, workers, backend.limits());
        MessageCalls messages = new MessageCalls(backend.producers(), json, outcomes, bodies, keyed, workers);
        SearchCalls search = new SearchCalls(backend.view(), backend.producers(), backend.clock(), keyed, workers);
        int maxBody = config.maxBodySize();
        return Stream.of(
                        push.routes(),
                        messages.routes(maxBody),
                        pulls.routes(maxBody),
                        operators.routes(maxBody),
                        health.routes(maxBody),
                        login.routes(maxBody),
                        overview.routes(maxBody),
                        backend.console()
                                .assets()
                                .map(assets -> new ConsoleCalls(assets).routes(maxBody))
                                .orElse(List.of()),
                        search.routes(maxBody),
                        new AuditCalls(backend.audit(), workers).routes(maxBody),
                        new TokenCalls(backend.tokens(), workers).routes(maxBody),
                        new NamespaceCalls(
                                        backend.tokens(),
                                        new NamespaceContents(backend.view(), backend.operators()),
                                        workers)
                                .routes(maxBody),
                        new LogCalls(backend.logging().levels()).routes(maxBody),
                        new OpenApiCalls().routes(maxBody))
                .flatMap(List::stream)
                .map(audit::recorded)
                .map(new CountedRoutes(traffic)::noted)
                .toList();
    }

    /** The routes over the faces of one namespace: those that look at messages and topics. */
    List<Route> scoped(HttpConfig config, Backend backend, Audit audit, Names names) {
        Producers producers =
                new ScopedProducers(backend.producers(), names, backend.limits().bounds(names.namespace()));
        Consumers consumers = new ScopedConsumers(backend.consumers(), names);
        Operators own = new ScopedOperators(backend.operators(), names);
        QueueView view = new ScopedView(backend.view(), names);
        JobJson json = new JobJson(producers::route);
        Outcomes ends = outcomes.over(producers);
        KeyedCalls keys = keyed.over(view::unfinished);
        int maxBody = config.maxBodySize();
        return Stream.of(
                        new PushCalls(config, producers, ends, json, workers, backend.limits()).routes(),
                        new MessageCalls(producers, json, ends, bodies, keys, workers).routes(maxBody),
                        pulls.over(consumers, own, view, bodies, workers).routes(maxBody),
                        operators.over(own, view.topics()).routes(maxBody),
                        new SearchCalls(view, producers, backend.clock(), keys, workers).routes(maxBody))
                .flatMap(List::stream)
                .map(audit::recorded)
                .map(new CountedRoutes(traffic)::noted)
                .toList();
    }

    /**
     * Requires that the port can be bound, before a server starts its other parts. Another process may still take it until {@link #start}.
     *
     * @throws IllegalStateException as {@link #start}
     */
    public static void requireFree(HttpConfig config) {
        Listener.requireFree(config);
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

    /** Whether a call that is no probe and no scrape began within this time: a client uses this node. */
    public boolean hasServedWithin(Duration time) {
        return traffic.isWithin(time);
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
        keyed.stop();
        listener.close();
        // A call that still runs gets no answer any more.
        workers.close(Duration.ZERO);
        keyed.close();
        outcomes.close(Duration.ZERO);
        operators.close(bounds.grace());
        audit.close();
        overview.close();
        health.close();
    }

    private void endWaits() {
        pulls.stop();
        outcomes.stop();
    }
}
