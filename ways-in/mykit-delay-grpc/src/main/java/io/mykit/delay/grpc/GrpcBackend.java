package io.mykit.delay.grpc;

import io.mykit.delay.access.KnownTokens;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.tls.ServerTls;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.producer.Producers;
import java.util.List;
import java.util.Optional;

/**
 * What the gRPC interface calls. Each is thread-safe.
 *
 * @param requests the log of requests, started
 * @param traces the traces of requests
 * @param checks the parts of the server; the service is healthy while the part {@code store} is up
 * @param tls empty = plain text
 * @param tokens the tokens that administrators make
 * @param limits the limits of callers
 */
public record GrpcBackend(
        Producers producers,
        Consumers consumers,
        RequestLog requests,
        RequestTraces traces,
        List<HealthCheck> checks,
        Optional<ServerTls> tls,
        KnownTokens tokens,
        CallLimits limits) {
    public GrpcBackend {
        checks = List.copyOf(checks);
    }
}
