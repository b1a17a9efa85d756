package io.mykit.delay.grpc;

import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.v1.DelayServiceGrpc;
import java.time.Duration;
import java.util.List;

/**
 * The standard health service. A loop asks the store and sets the status: SERVING while messages can be accepted, NOT_SERVING otherwise and
 * from the announcement of a stop on. Thread-safe.
 */
final class ServiceHealth implements Service {
    private static final String STORE = "store";
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Backoff FAILED = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final HealthStatusManager statuses = new HealthStatusManager();
    private final List<HealthCheck> stores;
    private final LoopRunner loop = new LoopRunner("grpc-health", this::look, FAILED);

    ServiceHealth(List<HealthCheck> checks) {
        this.stores =
                checks.stream().filter(check -> check.name().equals(STORE)).toList();
        set(true);
    }

    BindableService service() {
        return statuses.getHealthService();
    }

    @Override
    public void start() {
        loop.start();
    }

    /** The service is not healthy any more. */
    void stop() {
        statuses.enterTerminalState();
    }

    /** After {@link #stop}. */
    @Override
    public void close() {
        loop.close();
    }

    private Duration look() {
        set(stores.stream().allMatch(store -> store.check().up()));
        return PAUSE;
    }

    private void set(boolean up) {
        ServingStatus status = up ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        statuses.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
        statuses.setStatus(DelayServiceGrpc.SERVICE_NAME, status);
    }
}
