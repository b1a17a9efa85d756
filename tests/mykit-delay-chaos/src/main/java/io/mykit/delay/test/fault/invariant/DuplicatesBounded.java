package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A version of a message arrives again only around a fault, once for each attempt that the fault may have cut, and no more messages
 * do than were due while it lasted. A delivered message that a producer replaces arrives as another version. A message for the slow receiver
 * waits for its turn once more, so the fault may be long over.
 */
final class DuplicatesBounded implements Invariant {
    /** What was taken just before. */
    private static final long LEAD_MS = 2_000;

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>();
        Map<String, Integer> times = new HashMap<>();
        Map<String, Long> arrivedMs = new HashMap<>();
        Map<Window, Set<String>> blamed = new HashMap<>();
        for (Seen seen : run.seen()) {
            String version = run.versionName(seen);
            int before = times.merge(version, 1, Integer::sum) - 1;
            Long earlierMs = arrivedMs.put(version, seen.atMs());
            if (earlierMs == null) {
                continue;
            }
            boolean waits =
                    run.callbacks().plan(seen.id()).filter(Callback::late).isPresent();
            long sinceMs = waits ? earlierMs : seen.atMs();
            List<Window> covering = run.windows().stream()
                    .filter(window -> window.touches(sinceMs, seen.atMs()))
                    .toList();
            if (covering.isEmpty()) {
                violations.add(seen.id() + ": arrived again at " + seen.atMs() + ", far from any fault");
            } else if (before > attempts(covering)) {
                violations.add(seen.id() + ": arrived " + (before + 1) + " times");
            }
            covering.forEach(window ->
                    blamed.computeIfAbsent(window, key -> new HashSet<>()).add(seen.id()));
        }
        blamed.forEach((window, ids) -> {
            long inFlight = inFlight(run, window);
            if (ids.size() > inFlight) {
                violations.add(window.fault() + ": " + ids.size() + " duplicates, " + inFlight + " in flight: " + ids);
            }
        });
        return violations;
    }

    private static long attempts(List<Window> windows) {
        return windows.stream().mapToLong(Window::attempts).sum();
    }

    private static long inFlight(Run run, Window window) {
        return run.seen().stream()
                .filter(seen -> isInFlight(run, seen, window))
                .map(Seen::id)
                .distinct()
                .count();
    }

    private static boolean isInFlight(Run run, Seen seen, Window window) {
        // A retry delivers a callback long after its due time.
        boolean retries = run.callbacks().plan(seen.id()).isPresent();
        long beginMs = retries ? seen.atMs() : seen.dueMs();
        return window.touches(beginMs, beginMs + LEAD_MS);
    }
}
