package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Call;
import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Window;
import java.util.ArrayList;
import java.util.List;

/**
 * Between a failed attempt and the next one is the gap of the policy, or the time that the receiver asked for. An attempt
 * whose record a fault cut may be made again at once, once for each cut. It was not counted, so the repetition has the number
 * after the counted ones. An attempt itself has the number 1 while the database is away, because only the row knows the count.
 */
final class GapKept implements Invariant {
    /** The times of two clocks, that of the index and that of the receivers, may differ so much. */
    private static final long CLOCKS_MS = 50;

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>();
        run.callbacks().byId().forEach((id, calls) -> {
            Callback plan = run.callbacks().plan(id).orElseThrow();
            int hurried = 0;
            int counted = 0;
            for (int i = 1; i < calls.size(); i++) {
                Call before = calls.get(i - 1);
                Call call = calls.get(i);
                int repetition = counted + 1;
                counted = Math.max(counted, before.attempt());
                long gapMs = Math.max(plan.gapMs(before.attempt()), before.retryAfterMs());
                if (before.isAccepted() || call.atMs() - before.sentMs() >= gapMs - CLOCKS_MS) {
                    continue;
                }
                hurried++;
                if (call.attempt() > repetition || hurried > cuts(run, before)) {
                    violations.add(id + ": attempt " + call.attempt() + " came " + (call.atMs() - before.sentMs())
                            + " ms after attempt " + before.attempt() + " of " + before.sentMs()
                            + ", which was answered "
                            + before.status() + "; the gap is " + gapMs + " ms");
                }
            }
        });
        return violations;
    }

    private static long cuts(Run run, Call call) {
        return run.windows().stream()
                .filter(window -> window.cuts(call.atMs()))
                .mapToLong(Window::attempts)
                .sum();
    }
}
