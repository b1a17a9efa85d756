package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Run;
import java.util.List;

/** Within the session timeout and two seconds of a fault's end exactly one node leads. */
final class SomeoneLeads implements Invariant {
    private static final long GRACE_MS = 2_000;

    @Override
    public List<String> check(Run run) {
        long limitMs = run.sessionTimeout().toMillis() + GRACE_MS;
        return run.windows().stream()
                .filter(window -> window.leaderMs() < 0 || window.leaderMs() > limitMs)
                .map(window -> window.fault() + " of " + window.fromMs() + ": "
                        + (window.leaderMs() < 0 ? "never again exactly one leader" : window.leaderMs() + " ms"))
                .toList();
    }
}
