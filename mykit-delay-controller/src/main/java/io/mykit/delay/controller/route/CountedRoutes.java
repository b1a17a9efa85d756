package io.mykit.delay.controller.route;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.Traffic;
import io.mykit.delay.controller.call.CallHandler;

/** Notes the calls that are no probes of a supervisor and no scrapes. Thread-safe. */
public final class CountedRoutes {
    /** Its answer depends on the caller, and supervisors ask for it as well. */
    private static final String HEALTH = "/health";

    private final Traffic traffic;

    public CountedRoutes(Traffic traffic) {
        this.traffic = traffic;
    }

    /** The route, whose calls are noted if they count. */
    public Route noted(Route route) {
        if (isProbe(route)) {
            return route;
        }
        CallHandler handler = call -> {
            traffic.note();
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
}
