package io.mykit.delay.grpc.call;

import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.queue.metric.Family;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Counts and times calls by method and status. A series is made with its first call. Thread-safe. */
public final class CallMeters {
    private static final int CODES = Status.Code.values().length;

    private final MeterRegistry registry;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Map<String, AtomicReferenceArray<Timer>> timers = new ConcurrentHashMap<>();

    public CallMeters(MeterRegistry registry) {
        this.registry = registry;
        Family.GRPC_CALLS_IN_FLIGHT.gauge(registry, inFlight, AtomicInteger::get);
    }

    /** Returns the number of calls in flight, this one included. */
    int begin() {
        return inFlight.incrementAndGet();
    }

    void end(String method, Status.Code code, long nanos) {
        inFlight.decrementAndGet();
        timer(method, code).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** The registry gives two threads that come first the same meter. */
    private Timer timer(String method, Status.Code code) {
        AtomicReferenceArray<Timer> known = timers.get(method);
        AtomicReferenceArray<Timer> own =
                known == null ? timers.computeIfAbsent(method, name -> new AtomicReferenceArray<>(CODES)) : known;
        Timer timer = own.get(code.value());
        if (timer == null) {
            timer = Family.GRPC_CALL_DURATION.timer(registry, method, code.name());
            own.set(code.value(), timer);
        }
        return timer;
    }
}
