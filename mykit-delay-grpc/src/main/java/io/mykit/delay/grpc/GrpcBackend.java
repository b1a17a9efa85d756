package io.mykit.delay.grpc;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.producer.Producers;
import java.util.List;

/**
 * What the gRPC interface calls. Each is thread-safe.
 *
 * @param checks the parts of the server; the service is healthy while the part {@code store} is up
 */
public record GrpcBackend(Producers producers, Consumers consumers, List<HealthCheck> checks) {
    public GrpcBackend {
        checks = List.copyOf(checks);
    }
}
