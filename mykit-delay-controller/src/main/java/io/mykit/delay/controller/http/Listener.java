package io.mykit.delay.controller.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.access.FailedLogins;
import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.tls.ServerTls;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.tls.ServerCertificate;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.controller.audit.Audit;
import io.mykit.delay.controller.guard.GuardMeters;
import io.mykit.delay.controller.guard.PageGuard;
import io.mykit.delay.controller.route.Routes;
import io.mykit.delay.controller.scope.ScopedRoutes;
import io.mykit.delay.queue.metric.Family;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sockets and event loops. Started and closed by one thread. */
public final class Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final Duration BIND_BOUND = Duration.ofSeconds(10);
    private static final Duration RELOAD_BOUND = Duration.ofSeconds(10);
    private static final int SWEEPS_PER_IDLE = 4;
    private static final int BACKLOG = 1024;
    private static final int CHUNK_BYTES = 64 << 10;

    private final HttpConfig config;
    private final HttpBounds bounds;
    private final Optional<ServerTls> tls;
    private final Routes routes;
    private final ScopedRoutes scoped;
    private final Tokens tokens;
    private final Audit audit;
    private final FailedLogins logins = new FailedLogins();
    private final TokenMeters refusals;
    private final GuardMeters pages;
    private final Connections connections;
    private final BodyBudget budget;
    private final BodyBudget unread;
    private final Answers answers;
    private final RequestLog requests;
    private final RequestTraces traces;
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
    private Vertx vertx;

    /**
     * @param tls empty = plain HTTP
     * @param refusedPushes counts a push that was refused
     * @param stopping whether each answer closes its connection
     */
    public Listener(
            HttpConfig config,
            HttpBounds bounds,
            Optional<ServerTls> tls,
            Tokens tokens,
            Audit audit,
            Routes routes,
            ScopedRoutes scoped,
            RequestLog requests,
            RequestTraces traces,
            MeterRegistry registry,
            Consumer<ErrorCode> refusedPushes,
            BooleanSupplier stopping) {
        this.config = config;
        this.bounds = bounds;
        this.tls = tls;
        tls.ifPresent(secure -> secure.onChange(this::use));
        this.routes = routes;
        this.scoped = scoped;
        this.tokens = tokens;
        this.audit = audit;
        this.refusals = new TokenMeters(registry);
        this.pages = new GuardMeters(registry);
        this.connections = new Connections(bounds.connections(), bounds.idle());
        this.budget = new BodyBudget(bounds.bodyBytes());
        this.unread = new BodyBudget(bounds.answerBytes());
        this.answers = new Answers(unread, new RequestMetrics(registry, refusedPushes), requests, stopping);
        this.requests = requests;
        this.traces = traces;
        Family.HTTP_PENDING.gauge(registry, this, Listener::pendingBytes);
        Family.HTTP_CONNECTIONS.gauge(registry, connections, Connections::count);
        Family.HTTP_REQUESTS_IN_FLIGHT.gauge(registry, connections, Connections::busy);
    }

    public void start() {
        String address = address();
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(bounds.eventLoops())
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                // No call serves files. Without this setting each start makes a directory in /tmp, which only a clean
                // stop
                // removes.
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        vertx.setPeriodic(Math.max(1, bounds.idle().toMillis() / SWEEPS_PER_IDLE), tick -> connections.sweep());
        Future<String> bound = vertx.deployVerticle(
                () -> new EventLoop(address), new DeploymentOptions().setInstances(bounds.eventLoops()));
        try {
            bound.toCompletionStage().toCompletableFuture().get(BIND_BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            close();
            throw unbindable(config, failed.getCause() == null ? failed : failed.getCause());
        } catch (InterruptedException interrupted) {
            close();
            Thread.currentThread().interrupt();
            throw unbindable(config, interrupted);
        }
    }

    /** Binds the port and gives it back. Throws as {@link #start}. */
    public static void requireFree(HttpConfig config) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(config.host()), config.port()));
        } catch (IOException taken) {
            throw unbindable(config, taken);
        }
    }

    /** The bytes of requests without an answer, and of unread answers. */
    long pendingBytes() {
        return budget.taken() + unread.taken();
    }

    public int port() {
        return servers.get(0).actualPort();
    }

    public void close() {
        if (vertx == null) {
            return;
        }
        Duration grace = bounds.grace();
        List<Future<Void>> stopping =
                servers.stream().map(server -> server.shutdown(grace)).toList();
        await(Future.join(stopping), grace.plusSeconds(1));
        await(vertx.close(), grace);
        servers.clear();
        vertx = null;
    }

    /** New connections get this certificate. */
    private void use(ServerCertificate certificate) {
        List<HttpServer> known;
        synchronized (servers) {
            known = List.copyOf(servers);
        }
        for (HttpServer server : known) {
            try {
                server.updateSSLOptions(SecureOptions.of(certificate))
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(RELOAD_BOUND.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException failed) {
                throw new IllegalStateException("the HTTP interface cannot use the new certificate", failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the HTTP interface stops", interrupted);
            }
        }
    }

    private HttpServerOptions options() {
        HttpServerOptions plain = plainOptions();
        return tls.map(secure -> SecureOptions.with(plain, secure.current())).orElse(plain);
    }

    private static HttpServerOptions plainOptions() {
        return new HttpServerOptions()
                .setAcceptBacklog(BACKLOG)
                .setMaxChunkSize(CHUNK_BYTES)
                .setMaxInitialLineLength(Framing.MAX_LINE)
                .setHttp2ClearTextEnabled(false)
                // The server has no WebSocket calls. The handlers for them would run for every request and answer.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setCompressionSupported(false);
    }

    /** Resolves the host once, so that Vert.x never needs its own resolver. */
    private String address() {
        try {
            return InetAddress.getByName(config.host()).getHostAddress();
        } catch (UnknownHostException unknown) {
            throw unbindable(config, unknown);
        }
    }

    private static IllegalStateException unbindable(HttpConfig config, Throwable cause) {
        return new IllegalStateException(
                "cannot listen on " + config.host() + ":" + config.port() + " (" + cause.getMessage()
                        + "); change mykit.delay.http.host or mykit.delay.http.port",
                cause);
    }

    private static void await(Future<?> future, Duration bound) {
        try {
            future.toCompletionStage().toCompletableFuture().get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException late) {
            LOG.warn("The HTTP interface did not close in time; the stop goes on", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** One of the servers that share the port; Vert.x gives each its own event loop. */
    private final class EventLoop extends VerticleBase {
        private final String address;

        EventLoop(String address) {
            this.address = address;
        }

        @Override
        public Future<?> start() {
            Exchange exchange = new Exchange(
                    new LoopQueue(context),
                    routes,
                    scoped,
                    tokens,
                    audit,
                    new PageGuard(config, tokens, pages),
                    logins,
                    refusals,
                    connections,
                    budget,
                    new BodyDeadlines(vertx, bounds.body()),
                    answers,
                    requests,
                    traces);
            HttpServer server;
            // A certificate that is told later finds the server, and one that was told before is among its options.
            synchronized (servers) {
                server = vertx.createHttpServer(options())
                        .requestHandler(exchange)
                        .invalidRequestHandler(exchange::undecodable)
                        .connectionHandler(connections::admit)
                        .exceptionHandler(broken -> LOG.debug("A connection broke", broken));
                servers.add(server);
            }
            // Vert.x reads a negative port as a free port that the instances share.
            return server.listen(config.port() == 0 ? -1 : config.port(), address);
        }
    }
}
