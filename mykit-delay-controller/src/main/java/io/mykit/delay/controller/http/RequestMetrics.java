package io.mykit.delay.controller.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.push.PushCalls;
import io.mykit.delay.queue.metric.Family;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * Counts and times requests by route, method and status: some dozen series at most, made when they are first needed. After
 * that, a request costs one record and one increment. Thread-safe.
 */
final class RequestMetrics {
    /** The label of requests without a route. */
    static final String NO_ROUTE = "none";

    private static final int CLASSES = 6;
    private static final int STATUSES = 600;

    private final MeterRegistry registry;
    private final Map<String, OfRoute> routes = new ConcurrentHashMap<>();
    private final Consumer<ErrorCode> refusedPushes;

    /** @param refusedPushes counts a push that was refused */
    RequestMetrics(MeterRegistry registry, Consumer<ErrorCode> refusedPushes) {
        this.registry = registry;
        this.refusedPushes = refusedPushes;
    }

    /** Counts a push whose body was refused, so that no handler saw it. */
    void unhandled(String route, int status) {
        if (PushCalls.NAMES.contains(route)) {
            switch (status) {
                case 408 -> refusedPushes.accept(ErrorCode.INVALID_REQUEST);
                case 413 -> refusedPushes.accept(ErrorCode.TOO_LARGE);
                case 429 -> refusedPushes.accept(ErrorCode.BUSY);
                default -> {}
            }
        }
    }

    void record(String route, String method, int status, long nanos) {
        OfRoute known = routes.get(route);
        OfRoute own = known == null ? routes.computeIfAbsent(route, OfRoute::new) : known;
        own.timer(Method.of(method), status / 100).record(nanos, TimeUnit.NANOSECONDS);
        own.answers(status).increment();
    }

    /** The methods of calls, and one name for all others: a client may invent methods. */
    private enum Method {
        GET,
        HEAD,
        POST,
        PUT,
        PATCH,
        DELETE,
        OPTIONS,
        OTHER;

        private static final Method[] ALL = values();

        static Method of(String name) {
            for (Method method : ALL) {
                if (method.name().equals(name)) {
                    return method;
                }
            }
            return OTHER;
        }
    }

    private final class OfRoute {
        private final String route;
        /** Filled from the beginning; by classes of statuses. */
        private final Map<Method, AtomicReferenceArray<Timer>> timers = new EnumMap<>(Method.class);

        private final AtomicReferenceArray<Counter> answers = new AtomicReferenceArray<>(STATUSES);

        OfRoute(String route) {
            this.route = route;
            for (Method method : Method.ALL) {
                timers.put(method, new AtomicReferenceArray<>(CLASSES));
            }
        }

        /** The registry gives two threads that come first the same meter. */
        Timer timer(Method method, int statusClass) {
            AtomicReferenceArray<Timer> ofMethod = timers.get(method);
            Timer known = ofMethod.get(statusClass);
            if (known == null) {
                known = Family.HTTP_REQUEST_DURATION.timer(registry, route, method.name(), statusClass + "xx");
                ofMethod.set(statusClass, known);
            }
            return known;
        }

        Counter answers(int status) {
            Counter known = answers.get(status);
            if (known == null) {
                known = Family.HTTP_RESPONSES.counter(registry, route, Integer.toString(status));
                answers.set(status, known);
            }
            return known;
        }
    }
}
