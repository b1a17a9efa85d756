package io.mykit.delay.grpc;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.netty.NettyServerBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.tls.ServerTls;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.config.GrpcApiConfig;
import io.mykit.delay.grpc.call.Calls;
import io.mykit.delay.grpc.call.RequestIds;
import io.mykit.delay.queue.metric.Family;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sockets and event loops. Started and closed by one thread. */
final class Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    /** The library logs each wrong message of a client with a stack trace. The reference keeps the level. */
    private static final java.util.logging.Logger LIBRARY = java.util.logging.Logger.getLogger("io.grpc");

    static {
        LIBRARY.setLevel(java.util.logging.Level.SEVERE);
    }

    private static final int BACKLOG = 1024;
    /** Bytes that a client may send on one call before the server reads; a larger message comes in more round trips. */
    private static final int WINDOW = 256 << 10;
    /** A message that is a little larger than its limit gets our own words. */
    private static final int OVER = 1 << 20;

    private static final int MAX_METADATA = 16 << 10;
    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final Duration PROBE = Duration.ofMinutes(1);
    private static final Duration PROBE_ANSWER = Duration.ofSeconds(20);
    private static final Duration CLIENT_PROBE = Duration.ofSeconds(10);
    /** A client that begins calls and drops them at once, again and again, costs much and shows in no call. */
    private static final int MAX_RESETS = 20_000;

    private static final Duration RESETS_WITHIN = Duration.ofSeconds(10);
    private static final Duration HANDSHAKE = Duration.ofSeconds(10);
    private static final Duration LOOPS_END = Duration.ofSeconds(1);

    private final GrpcApiConfig config;
    private final GrpcBounds bounds;
    private final RequestLog requests;
    private final Optional<ServerTls> tls;
    private final AtomicInteger connections = new AtomicInteger();
    private volatile EventLoopGroup loops;
    private volatile Server server;

    Listener(
            GrpcApiConfig config,
            GrpcBounds bounds,
            RequestLog requests,
            Optional<ServerTls> tls,
            MeterRegistry registry) {
        this.config = config;
        this.bounds = bounds;
        this.requests = requests;
        this.tls = tls;
        Family.GRPC_CONNECTIONS.gauge(registry, connections, AtomicInteger::get);
    }

    void start(
            ServerServiceDefinition service, List<ServerServiceDefinition> others, ServerStreamTracer.Factory bytes) {
        loops = new MultiThreadIoEventLoopGroup(
                bounds.eventLoops(), Threads.numbered("grpc-loop"), NioIoHandler.newFactory());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(address(config))
                .channelFactory(() -> new BoundedServerChannel(connections, bounds.connections()))
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .withOption(ChannelOption.SO_BACKLOG, BACKLOG)
                .directExecutor()
                .maxInboundMessageSize(bounds.maxBatch() + OVER)
                .maxInboundMetadataSize(MAX_METADATA)
                .maxConcurrentCallsPerConnection(bounds.callsPerConnection())
                .flowControlWindow(WINDOW)
                .maxConnectionIdle(IDLE.toSeconds(), TimeUnit.SECONDS)
                .keepAliveTime(PROBE.toSeconds(), TimeUnit.SECONDS)
                .keepAliveTimeout(PROBE_ANSWER.toSeconds(), TimeUnit.SECONDS)
                .permitKeepAliveTime(CLIENT_PROBE.toSeconds(), TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxRstFramesPerWindow(MAX_RESETS, (int) RESETS_WITHIN.toSeconds())
                .addStreamTracerFactory(bytes)
                .addStreamTracerFactory(Calls.logging(requests))
                .intercept(new RequestIds())
                .addService(service);
        others.forEach(builder::addService);
        tls.ifPresent(secure -> builder.sslContext(new FollowingSslContext(secure))
                .handshakeTimeout(HANDSHAKE.toSeconds(), TimeUnit.SECONDS));
        Server made = builder.build();
        try {
            made.start();
        } catch (IOException taken) {
            Future<?> unused = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw unbindable(config, taken);
        }
        server = made;
    }

    /** The event loop of the calling thread. */
    Executor loop() {
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) {
                return loop;
            }
        }
        return Runnable::run;
    }

    /** Binds the port and gives it back. Throws as {@link GrpcApi#start}. */
    static void requireFree(GrpcApiConfig config) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address(config));
        } catch (IOException taken) {
            throw unbindable(config, taken);
        }
    }

    int port() {
        Server running = server;
        return running == null ? port(config) : running.getPort();
    }

    /** Takes no more connections, and asks clients to make new calls elsewhere. Calls under way go on. */
    void shutdown() {
        Server running = server;
        if (running != null) {
            running.shutdown();
        }
    }

    void close() {
        Server running = server;
        if (running == null) {
            return;
        }
        running.shutdown();
        try {
            if (!running.awaitTermination(bounds.grace().toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "Some calls of the gRPC interface did not end within {} s and are cut off",
                        bounds.grace().toSeconds());
                running.shutdownNow().awaitTermination(LOOPS_END.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException interrupted) {
            running.shutdownNow();
            Thread.currentThread().interrupt();
        }
        loops.shutdownGracefully(0, LOOPS_END.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(LOOPS_END.toMillis(), TimeUnit.MILLISECONDS);
        server = null;
    }

    private static int port(GrpcApiConfig config) {
        return config.port().orElseThrow();
    }

    private static InetSocketAddress address(GrpcApiConfig config) {
        try {
            return new InetSocketAddress(InetAddress.getByName(config.host()), port(config));
        } catch (IOException unknown) {
            throw unbindable(config, unknown);
        }
    }

    private static IllegalStateException unbindable(GrpcApiConfig config, Throwable cause) {
        Throwable reason = cause.getCause() == null ? cause : cause.getCause();
        return new IllegalStateException(
                "cannot listen on " + config.host() + ":" + port(config) + " (" + reason.getMessage()
                        + "); change mykit.delay.grpc-api.host or mykit.delay.grpc-api.port",
                cause);
    }
}
