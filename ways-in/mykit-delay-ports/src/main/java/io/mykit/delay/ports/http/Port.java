package io.mykit.delay.ports.http;

import io.mykit.delay.access.HostNames;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.tls.ServerTls;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.tls.ServerCertificate;
import io.mykit.delay.ports.call.Calls;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One port and its event loops. Started and closed by one thread; {@code close()} is bounded. */
public final class Port implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(Port.class);
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final int BACKLOG = 1024;
    private static final int MAX_LINE = 16 << 10;
    private static final int SWEEP_MS = 10_000;

    private final String name;
    private final Address address;
    private final PortBounds bounds;
    private final Calls calls;
    private final HostNames names;
    private final Optional<ServerTls> tls;
    private final RequestLog requests;
    private final Clients clients;
    private final ByteBudget budget;
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
    private volatile boolean stopping;
    private Vertx vertx;

    /**
     * @param name of the API, for logs and errors
     * @param names by which calls may reach the port while they need no token
     * @param tls empty = plain HTTP
     */
    public Port(
            String name,
            Address address,
            PortBounds bounds,
            Calls calls,
            HostNames names,
            Optional<ServerTls> tls,
            RequestLog requests) {
        this.name = name;
        this.address = address;
        this.bounds = bounds;
        this.calls = calls;
        this.names = names;
        this.tls = tls;
        this.requests = requests;
        this.clients = new Clients(bounds);
        this.budget = new ByteBudget(bounds.bytes());
        tls.ifPresent(secure -> secure.onChange(this::use));
    }

    /**
     * Where a port listens.
     *
     * @param port 0 = any free one
     * @param keys the configuration that says it, for errors
     */
    public record Address(String host, int port, String keys) {
        /**
         * Requires that the port can be bound. Another process may still take it later.
         *
         * @throws IllegalStateException if it cannot; the message names the keys to change
         */
        public void requireFree() {
            try (ServerSocket probe = new ServerSocket()) {
                probe.setReuseAddress(true);
                probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
            } catch (IOException taken) {
                throw unbindable(taken);
            }
        }

        private IllegalStateException unbindable(Throwable cause) {
            return new IllegalStateException(
                    "cannot listen on " + host + ":" + port + " (" + cause.getMessage() + "); change " + keys, cause);
        }
    }

    /** @throws IllegalStateException if the port cannot be bound; the message names the keys to change */
    @Override
    public void start() {
        String resolved = resolved();
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(bounds.eventLoops())
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                // No call serves files, and a directory in /tmp would be made for them.
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        vertx.setPeriodic(SWEEP_MS, tick -> clients.sweep());
        Future<String> bound = vertx.deployVerticle(
                () -> new Loop(resolved), new DeploymentOptions().setInstances(bounds.eventLoops()));
        try {
            bound.toCompletionStage().toCompletableFuture().get(BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            close();
            throw address.unbindable(failed.getCause() == null ? failed : failed.getCause());
        } catch (InterruptedException interrupted) {
            close();
            Thread.currentThread().interrupt();
            throw address.unbindable(interrupted);
        }
    }

    /** The port on which it listens, also if any free port was asked for. */
    public int port() {
        return servers.get(0).actualPort();
    }

    /** Each answer ends its connection from now on: the next request of its client leads to another node. */
    public void announceStop() {
        stopping = true;
    }

    @Override
    public void close() {
        stopping = true;
        if (vertx == null) {
            return;
        }
        List<Future<Void>> ending =
                servers.stream().map(server -> server.shutdown(bounds.grace())).toList();
        await(Future.join(ending), bounds.grace().plusSeconds(1));
        await(vertx.close(), bounds.grace());
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
                        .get(BOUND.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException failed) {
                throw new IllegalStateException("a port of " + name + " cannot use the new certificate", failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("a port of " + name + " stops", interrupted);
            }
        }
    }

    private HttpServerOptions options() {
        HttpServerOptions plain = new HttpServerOptions()
                .setAcceptBacklog(BACKLOG)
                .setMaxInitialLineLength(MAX_LINE)
                .setHttp2ClearTextEnabled(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setCompressionSupported(false);
        return tls.map(secure -> SecureOptions.with(plain, secure.current())).orElse(plain);
    }

    /** Resolves the host once, so that Vert.x never needs its own resolver. */
    private String resolved() {
        try {
            return InetAddress.getByName(address.host()).getHostAddress();
        } catch (UnknownHostException unknown) {
            throw address.unbindable(unknown);
        }
    }

    private void await(Future<?> future, Duration bound) {
        try {
            future.toCompletionStage().toCompletableFuture().get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException late) {
            LOG.warn("A port of {} did not close in time; the stop goes on", name, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** One of the servers that share the port; Vert.x gives each its own event loop. */
    private final class Loop extends VerticleBase {
        private final String resolved;

        Loop(String resolved) {
            this.resolved = resolved;
        }

        @Override
        public Future<?> start() {
            Exchange exchange = new Exchange(context, calls, names, clients, bounds, budget, requests, () -> stopping);
            HttpServer server;
            // A certificate that is told later finds the server, and one that was told before is among its options.
            synchronized (servers) {
                server = vertx.createHttpServer(options())
                        .requestHandler(exchange)
                        .invalidRequestHandler(exchange::undecodable)
                        .connectionHandler(clients::admit)
                        .exceptionHandler(broken -> LOG.debug("A connection broke", broken));
                servers.add(server);
            }
            // Vert.x reads a negative port as a free port that the instances share.
            return server.listen(address.port() == 0 ? -1 : address.port(), resolved);
        }
    }
}
