package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
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
import java.util.Set;

/**
 * A message arrives within five seconds of its due time, or of the end of the faults that were in its way. A fault is in the
 * way if it began before the message had to be there.
 */
final class NotLate implements Invariant {

    @Override
    public List<String> check(Run run) {
        List<Window> windows = run.windows().stream()
                .sorted(Comparator.comparingLong(Window::fromMs))
                .toList();
        List<String> violations = new ArrayList<>();
        Set<String> before = new HashSet<>();
        for (Seen seen : run.seen()) {
            long deadlineMs = deadlineMs(windows, run.pushed().get(seen.id()), seen);
            boolean isFirst = before.add(seen.id() + " " + seen.dueMs());
            if (isFirst && seen.atMs() > deadlineMs) {
                violations.add(seen.id() + ": arrived " + (seen.atMs() - seen.dueMs()) + " ms after its due time "
                        + seen.dueMs() + ", " + (seen.atMs() - deadlineMs) + " ms later than it may"
                        + faults(windows, seen));
            }
        }
        return violations;
    }

    private static long deadlineMs(List<Window> windows, Pushed pushed, Seen seen) {
        long sentMs = pushed == null
                ? seen.dueMs()
                : pushed.version(seen.body(), seen.dueMs()).map(Version::sentMs).orElse(seen.dueMs());
        Duration after = pushed != null && wasCut(pushed) ? Allowance.CUT_CALL : Allowance.ANYWAY;
        long dueMs = Math.max(seen.dueMs(), sentMs);
        long deadlineMs = dueMs + Allowance.ANYWAY.toMillis();
        for (Window window : windows) {
            if (window.fromMs() <= deadlineMs) {
                Allowance allowance = Allowance.of(window);
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

    /** A call that may have ended between its steps. */
    private static boolean wasCut(Pushed pushed) {
        return pushed.cancels().stream().map(Cancel::answered).anyMatch(Answered.NOTHING_KNOWN::equals)
                || pushed.versions().stream().anyMatch(NotLate::wasCut);
    }

    /** A replacement that was refused may have taken the message out of Redis before, by a call whose answer was lost. */
    private static boolean wasCut(Version version) {
        return version.replaces() && (version.inDoubt() || !version.isAcknowledged());
    }

    private static String faults(List<Window> windows, Seen seen) {
        List<String> touched = windows.stream()
                .filter(window -> window.touches(seen.dueMs(), seen.atMs()))
                .map(Window::fault)
                .toList();
        return touched.isEmpty() ? "" : "; faults meanwhile or just before: " + touched;
    }
}
