package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * After a CANCELLED answer no delivery starts; ALREADY_DISPATCHED means that it was or will be delivered.
 *
 * <p>A message whose delivery failed before may be on its way in spite of that: the attempt is counted in its row.
 */
final class CancelIsFinal implements Invariant {

    @Override
    public List<String> check(Run run) {
        Map<String, List<Seen>> seen = run.seen().stream().collect(Collectors.groupingBy(Seen::id));
        List<String> violations = new ArrayList<>();
        for (Pushed pushed : run.pushed().values()) {
            for (Cancel cancel : pushed.cancels()) {
                judge(run, pushed.id(), cancel, seen.getOrDefault(pushed.id(), List.of()), violations);
            }
        }
        return violations;
    }

    private static void judge(Run run, String id, Cancel cancel, List<Seen> arrivals, List<String> violations) {
        if (cancel.answered() == Answered.ALREADY_DISPATCHED && arrivals.isEmpty()) {
            violations.add(id + ": ALREADY_DISPATCHED, and never arrived");
        }
        if (cancel.answered() != Answered.CANCELLED) {
            return;
        }
        Row row = run.rows().get(id);
        boolean triedBefore = row != null && row.attempts() > 0;
        for (Seen arrival : arrivals) {
            long afterMs = arrival.atMs() - cancel.answeredMs();
            if (afterMs > 0 && !triedBefore) {
                violations.add(id + ": arrived " + afterMs + " ms after it was said to be cancelled");
            } else if (!run.isDisturbed(arrival.atMs())) {
                violations.add(id + ": had arrived " + -afterMs + " ms before it was said to be cancelled");
            }
        }
    }
}
