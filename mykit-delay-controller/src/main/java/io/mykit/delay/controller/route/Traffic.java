package io.mykit.delay.controller.route;

import io.mykit.delay.access.Access;
import io.mykit.delay.controller.call.CallHandler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Notes when this node served its last call that is no probe of a supervisor and no scrape. Thread-safe. */
public final class Traffic {
    /** Its answer depends on the caller, and supervisors ask for it as well. */
    private static final String HEALTH = "/health";

    private final LongSupplier nanoTime;
    /** Null = none yet. */
    private final AtomicReference<Long> lastNanos = new AtomicReference<>();

    /** @param nanoTime as {@link System#nanoTime} */
    public Traffic(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The route, whose calls are noted if they count. */
    public Route noted(Route route) {
        if (isProbe(route)) {
            return route;
        }
        CallHandler handler = call -> {
            lastNanos.set(nanoTime.getAsLong());
            return route.handler().handle(call);
        };
        return new Route(
                route.name(),
                route.access(),
                route.methods(),
                route.pattern(),
                route.parameters(),
                route.maxBody(),
                handler);
    }

    private static boolean isProbe(Route route) {
        return route.access() == Access.PROBES
                || route.access() == Access.SCRAPES
                || route.pattern().equals(HEALTH);
    }

    /** Whether a call that counts began within this time. */
    public boolean isWithin(Duration time) {
        Long last = lastNanos.get();
        return last != null && nanoTime.getAsLong() - last <= time.toNanos();
    }
}
