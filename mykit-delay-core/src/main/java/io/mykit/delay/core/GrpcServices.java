package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.access.KnownTokens;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.tls.ServerTls;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.ServiceStack;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.GrpcApiConfig;
import io.mykit.delay.grpc.GrpcApi;
import io.mykit.delay.grpc.GrpcBackend;
import io.mykit.delay.queue.DelayQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The gRPC interface, if a port is configured. Otherwise no class of it is loaded. */
interface GrpcServices {
    /** The server has none. */
    GrpcServices NONE = new GrpcServices() {};

    /** Its part of {@code /health}. */
    default Optional<HealthCheck> check() {
        return Optional.empty();
    }

    /** The address that clients connect to; only after the start. */
    default Optional<String> address() {
        return Optional.empty();
    }

    /** Starts it; the stack closes it. */
    default void start(ServiceStack services) {}

    /** Whether a client has used it within this time. */
    default boolean hasServedWithin(Duration time) {
        return false;
    }

    /** New calls are refused from now on. */
    default void announceStop() {}

    /** @throws IllegalStateException if the port cannot be bound */
    static void requireFree(GrpcApiConfig config) {
        if (config.port().isPresent()) {
            GrpcApi.requireFree(config);
        }
    }

    /**
     * @param tls empty = plain text
     * @param tokens the tokens that administrators make
     * @param limits the limits of callers
     */
    static GrpcServices of(
            DelayConfig config,
            DelayQueue queue,
            RequestLog requests,
            RequestTraces traces,
            Optional<ServerTls> tls,
            KnownTokens tokens,
            CallLimits limits,
            MeterRegistry meters) {
        return config.grpcApi().port().isEmpty()
                ? NONE
                : opened(config, queue, requests, traces, tls, tokens, limits, meters);
    }

    /** The checks with that of the gRPC interface. */
    default List<HealthCheck> with(List<HealthCheck> checks) {
        return Stream.concat(checks.stream(), check().stream()).toList();
    }

    private static GrpcServices opened(
            DelayConfig config,
            DelayQueue queue,
            RequestLog requests,
            RequestTraces traces,
            Optional<ServerTls> tls,
            KnownTokens tokens,
            CallLimits limits,
            MeterRegistry meters) {
        GrpcApi api = new GrpcApi(
                config,
                new GrpcBackend(
                        queue.producers(), queue.consumers(), requests, traces, queue.checks(), tls, tokens, limits),
                meters);
        return new GrpcServices() {
            @Override
            public Optional<HealthCheck> check() {
                return Optional.of(api);
            }

            @Override
            public Optional<String> address() {
                return Optional.of(api.address());
            }

            @Override
            public void start(ServiceStack services) {
                services.start(api);
            }

            @Override
            public boolean hasServedWithin(Duration time) {
                return api.hasServedWithin(time);
            }

            @Override
            public void announceStop() {
                api.announceStop();
            }
        };
    }
}
