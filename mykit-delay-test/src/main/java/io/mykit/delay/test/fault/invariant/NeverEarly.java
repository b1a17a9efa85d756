package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import java.util.ArrayList;
import java.util.List;

/** Nothing arrives before its due time, neither the one that it carries nor the one that its producer meant. */
final class NeverEarly implements Invariant {

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>();
        for (Seen seen : run.seen()) {
            Pushed pushed = run.pushed().get(seen.id());
            long meantMs = pushed == null ? seen.dueMs() : pushed.firstSentMs() + pushed.delayMs();
            long earlyMs = Math.max(seen.dueMs(), meantMs) - seen.atMs();
            if (earlyMs > 0) {
                violations.add(seen.id() + ": " + earlyMs + " ms early");
            }
        }
        return violations;
    }
}
