package io.mykit.delay.controller.health;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.access.Access;
import io.mykit.delay.access.Principal;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.leader.LeaderElector;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The calls about the state of the server: health and metrics. They have their own threads, so they work while all other
 * calls wait.
 */
public final class HealthCalls {
    private static final int METRICS_THREADS = 2;
    private static final int METRICS_QUEUE = 32;

    private final HealthBoard board;
    private final HealthHandler health;
    private final MetricsHandler metrics;
    private final boolean metricsOpen;
    private final Workers metricsWorkers = new Workers("http-status", METRICS_THREADS, METRICS_QUEUE);

    /**
     * @param bound the time of a check; without an answer the part is down
     * @param version the version of this build
     * @param stopping whether this node is stopping
     * @param metricsOpen whether the metrics need no token
     * @param details the callers that see the details of health
     */
    public HealthCalls(
            List<HealthCheck> checks,
            Duration bound,
            LeaderElector elector,
            String version,
            BooleanSupplier stopping,
            boolean metricsOpen,
            Predicate<Principal> details,
            PrometheusMeterRegistry registry) {
        this.board = new HealthBoard(checks, bound);
        this.health = new HealthHandler(board, elector, version, stopping, details);
        this.metricsOpen = metricsOpen;
        this.metrics = new MetricsHandler(registry, metricsWorkers);
    }

    /**
     * @param maxBody the maximum of bytes in a body, which is not read
     */
    public List<Route> routes(int maxBody) {
        return List.of(
                probe("health", Access.EVERYBODY, "/health", maxBody, health::full),
                probe("live", Access.PROBES, "/health/live", maxBody, health::live),
                probe("ready", Access.PROBES, "/health/ready", maxBody, health::ready),
                probe("metrics", metricsOpen ? Access.PROBES : Access.SCRAPES, "/metrics", maxBody, metrics));
    }

    private static Route probe(String name, Access access, String path, int maxBody, CallHandler handler) {
        return new Route(name, access, Route.READ, path, ParameterNames.IGNORED, maxBody, handler);
    }

    public void close() {
        metricsWorkers.close(Duration.ZERO);
        board.close();
    }
}
