package io.mykit.delay.controller;

import io.mykit.delay.config.HttpConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sockets and event loops. Started and closed by one thread. */
final class Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final Duration BIND_BOUND = Duration.ofSeconds(10);
    private static final int BACKLOG = 1024;
    private static final int CHUNK_BYTES = 64 << 10;

    private final HttpConfig config;
    private final HttpBounds bounds;
    private final Routes routes;
    private final RequestMetrics metrics;
    private final AtomicInteger connections = new AtomicInteger();
    private final List<HttpServer> servers = new ArrayList<>();
    private Vertx vertx;

    Listener(HttpConfig config, HttpBounds bounds, Routes routes, RequestMetrics metrics) {
        this.config = config;
        this.bounds = bounds;
        this.routes = routes;
        this.metrics = metrics;
    }

    void start() {
        String address = address();
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(bounds.eventLoops())
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                // Neither serves files: without this each start leaves a directory in /tmp until it ends well.
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        try {
            // The first finds the port; the others share its socket, each on an event loop of its own.
            listen(config.port(), address);
            for (int i = 1; i < bounds.eventLoops(); i++) {
                listen(port(), address);
            }
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    int port() {
        return servers.get(0).actualPort();
    }

    void close() {
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

    private void listen(int port, String address) {
        Exchange exchange = new Exchange(vertx, routes, new Tokens(config), metrics, bounds.body());
        HttpServer server = vertx.createHttpServer(options())
                .requestHandler(exchange)
                .invalidRequestHandler(exchange::undecodable)
                .connectionHandler(this::admit)
                .exceptionHandler(broken -> LOG.debug("A connection broke", broken));
        try {
            server.listen(port, address)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(BIND_BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw unbindable(failed.getCause() == null ? failed : failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unbindable(interrupted);
        }
        servers.add(server);
    }

    private HttpServerOptions options() {
        return new HttpServerOptions()
                .setIdleTimeout((int) bounds.idle().toMillis())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setAcceptBacklog(BACKLOG)
                .setMaxChunkSize(CHUNK_BYTES)
                .setHttp2ClearTextEnabled(false)
                .setCompressionSupported(false);
    }

    private void admit(HttpConnection connection) {
        if (connections.incrementAndGet() > bounds.connections()) {
            connections.decrementAndGet();
            connection.close();
            return;
        }
        connection.closeHandler(closed -> connections.decrementAndGet());
        connection.exceptionHandler(broken -> LOG.debug("A connection broke", broken));
    }

    /** Resolved here once, so that Vert.x never needs its own resolver. */
    private String address() {
        try {
            return InetAddress.getByName(config.host()).getHostAddress();
        } catch (UnknownHostException unknown) {
            throw unbindable(unknown);
        }
    }

    private IllegalStateException unbindable(Throwable cause) {
        return new IllegalStateException(
                "cannot listen on " + config.host() + ":" + config.port() + " (" + cause.getMessage()
                        + "); change mykit.delay.http.host or mykit.delay.http.port",
                cause);
    }

    private static void await(Future<?> future, Duration bound) {
        try {
            future.toCompletionStage().toCompletableFuture().get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException late) {
            LOG.warn("The HTTP interface did not close in time", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
