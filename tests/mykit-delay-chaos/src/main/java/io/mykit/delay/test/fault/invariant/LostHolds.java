package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Window;
import java.util.List;

/** The faults after which Redis may not know holds and parked outcomes any more. Stateless. */
final class LostHolds {
    /** Parts of names. If a server of Redis stalls, Sentinel may promote a replica that lacks the last writes. */
    private static final List<String> FAULTS = List.of(
            "kill-redis",
            "flush-redis",
            "freeze-redis",
            "stutter-redis",
            "thaw-into-empty-redis",
            "older-redis",
            "failover-redis",
            "lost-tail-redis",
            "rebuild-sentinels",
            "delete-pool",
            "delete-waiting");

    private LostHolds() {}

    static boolean mayLose(Window window) {
        return window.kinds().stream().anyMatch(kind -> FAULTS.stream().anyMatch(kind::contains));
    }
}
