package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Call;
import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Version;
import io.mykit.delay.test.fault.history.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A message arrives within five seconds of its due time, or of the end of the faults that were in its way. A fault is in the
 * way if it began before the message had to be there. For a message that is called back, the same holds for each attempt: the
 * next one is due when its gap is over. A receiver's fault delays only the callbacks to such receivers, and a broker's fault
 * delays no callback. The first hand-out of a message that consumers pull is judged like an arrival.
 */
final class NotLate implements Invariant {

    @Override
    public List<String> check(Run run) {
        List<Window> windows = run.windows().stream()
                .sorted(Comparator.comparingLong(Window::fromMs))
                .toList();
        List<Window> ofBroker =
                windows.stream().filter(window -> !window.isOnlyOf("receiver")).toList();
        List<String> violations = new ArrayList<>();
        Set<String> before = new HashSet<>();
        for (Seen seen : run.seen()) {
            boolean isFirst = before.add(seen.id() + " " + seen.dueMs());
            if (isFirst && run.callbacks().plan(seen.id()).isEmpty()) {
                Pushed pushed = run.pushed().get(seen.id());
                judge(
                                seen,
                                seen.dueMs(),
                                deadlineMs(ofBroker, Allowance::of, pushed, seen, seen.dueMs(), Duration.ZERO),
                                ofBroker)
                        .ifPresent(violations::add);
            }
        }
        run.callbacks().byId().forEach((id, calls) -> {
            Callback plan = run.callbacks().plan(id).orElseThrow();
            if (plan.late()) {
                return;
            }
            List<Window> inTheWay = windows.stream()
                    .filter(window -> !window.isOnlyOf("broker"))
                    .filter(window -> !plan.steady() || !window.isOnlyOf("receiver"))
                    .toList();
            Function<Window, Allowance> allowances = plan.steady() ? Allowance::of : Allowance::ofCallback;
            for (int i = 0; i < calls.size(); i++) {
                if (i == 0 || !calls.get(i - 1).isAccepted()) {
                    Seen seen = calls.get(i).seen();
                    long dueMs = i == 0 ? seen.dueMs() : nextMs(plan, calls.get(i - 1));
                    long deadlineMs = deadlineMs(
                            inTheWay,
                            allowances,
                            run.pushed().get(id),
                            seen,
                            dueMs,
                            Duration.ofMillis(plan.longestGapMs()));
                    judge(seen, dueMs, deadlineMs, inTheWay).ifPresent(violations::add);
                }
            }
        });
        List<Window> ofConsumers = windows.stream()
                .filter(window -> !window.isOnlyOf("broker") && !window.isOnlyOf("receiver"))
                .toList();
        run.pulls().byId().forEach((id, holds) -> {
            Seen seen = holds.get(0).seen();
            long deadlineMs = deadlineMs(
                    ofConsumers, Allowance::of, run.pushed().get(id), seen, seen.dueMs(), Allowance.LOST_PULL);
            judge(seen, seen.dueMs(), deadlineMs, ofConsumers).ifPresent(violations::add);
        });
        return violations;
    }

    private static Optional<String> judge(Seen seen, long dueMs, long deadlineMs, List<Window> windows) {
        return seen.atMs() <= deadlineMs
                ? Optional.empty()
                : Optional.of(seen.id() + ": arrived " + (seen.atMs() - dueMs) + " ms after its due time " + dueMs
                        + ", " + (seen.atMs() - deadlineMs) + " ms later than it may" + faults(windows, dueMs, seen));
    }

    /** When the attempt after this one is due. */
    private static long nextMs(Callback plan, Call failed) {
        long endMs = failed.atMs() + (failed.status() == 0 ? Allowance.UNANSWERED.toMillis() : 0);
        return endMs + Math.max(plan.gapMs(failed.attempt()), failed.retryAfterMs());
    }

    /** @param gap of an attempt in a fault that did not reach its receiver */
    private static long deadlineMs(
            List<Window> windows,
            Function<Window, Allowance> allowances,
            Pushed pushed,
            Seen seen,
            long plannedMs,
            Duration gap) {
        long sentMs = pushed == null
                ? seen.dueMs()
                : pushed.version(seen.body(), seen.dueMs()).map(Version::sentMs).orElse(seen.dueMs());
        Duration after = (pushed == null ? Allowance.ANYWAY : Allowance.afterFault(pushed)).plus(gap);
        long dueMs = Math.max(plannedMs, sentMs);
        long deadlineMs = dueMs + Allowance.ANYWAY.toMillis();
        for (Window window : windows) {
            if (window.fromMs() <= deadlineMs) {
                Allowance allowance = allowances.apply(window);
                long byFaultMs =
                        window.ledMs() + after.plus(allowance.afterEnd()).toMillis();
                long ownMs = sentMs <= window.ledMs()
                        ? dueMs + Allowance.ANYWAY.plus(allowance.ofEach()).toMillis()
                        : 0;
                deadlineMs = Math.max(deadlineMs, Math.max(byFaultMs, ownMs));
            }
        }
        return deadlineMs;
    }

    private static String faults(List<Window> windows, long dueMs, Seen seen) {
        List<String> touched = windows.stream()
                .filter(window -> window.touches(dueMs, seen.atMs()))
                .map(Window::fault)
                .toList();
        return touched.isEmpty() ? "" : "; faults meanwhile or just before: " + touched;
    }
}
