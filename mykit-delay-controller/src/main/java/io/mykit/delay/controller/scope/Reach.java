package io.mykit.delay.controller.scope;

import io.mykit.delay.controller.route.Route;
import java.util.Set;

/** What a route is to a caller of one namespace. A route that is in no list is closed. */
public enum Reach {
    /** The call sees the names of the namespace alone: it has a handler of its own. */
    CONFINED,
    /** The call has no names, and the same answer for each caller or one about the caller. */
    SAME,
    /** The call shows or changes what is not of one namespace. */
    CLOSED;

    private static final Set<String> CONFINED_CALLS = Set.of(
            "push",
            "batch",
            "job",
            "delete",
            "body",
            "reschedule",
            "messages",
            "pull",
            "get",
            "ack",
            "nack",
            "release",
            "extend",
            "bury",
            "finish",
            "peek",
            "topics",
            "dead",
            "respawn",
            "discard",
            "restoreJob",
            "clearTopic",
            "pause",
            "resume",
            "retryTopic");
    private static final Set<String> SAME_CALLS = Set.of("whoami", "health", "live", "ready", "openapi", "page");

    /** The reach of a route, by its name. */
    public static Reach of(Route route) {
        if (CONFINED_CALLS.contains(route.name())) {
            return CONFINED;
        }
        return SAME_CALLS.contains(route.name()) ? SAME : CLOSED;
    }
}
