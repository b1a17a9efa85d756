package io.mykit.delay.controller.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Counts and times requests by route and status: some dozen series at most. Thread-safe. */
final class RequestMetrics {
    /** The label of requests without a route. */
    static final String NO_ROUTE = "none";

    private final MeterRegistry registry;
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

    RequestMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void record(String route, int status, long nanos) {
        timers.computeIfAbsent(new Key(route, status), this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Key key) {
        return Timer.builder("mykit.delay.http.requests")
                .description("From the request's head to its answer")
                .tag("route", key.route())
                .tag("status", Integer.toString(key.status()))
                .register(registry);
    }

    private record Key(String route, int status) {}
}
