package io.mykit.delay.test.fault;

import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Version;
import io.mykit.delay.test.fault.history.Window;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The lateness of messages, outside of fault windows and in the windows of each fault. If a message arrived twice, the first
 * arrival counts. Callbacks are left out: a retry is late on purpose.
 */
final class Lateness {
    /** More than a message takes from its due time to its consumer when all is well. */
    private static final long ON_ITS_WAY_MS = 500;

    private final List<Long> outside = new ArrayList<>();
    private final Map<String, List<Long>> byFault = new TreeMap<>();

    Lateness(Run run) {
        Set<String> first = new HashSet<>();
        for (Seen seen : run.seen()) {
            if (run.callbacks().plan(seen.id()).isEmpty() && first.add(seen.id() + " " + seen.dueMs())) {
                add(run, seen);
            }
        }
    }

    String outside() {
        return text(outside);
    }

    /** By the names of the faults. */
    Map<String, String> byFault() {
        Map<String, String> texts = new TreeMap<>();
        byFault.forEach((fault, late) -> texts.put(fault, text(late)));
        return texts;
    }

    /** A message belongs to each fault in whose window it is due, or that began when it had just fallen due. */
    private void add(Run run, Seen seen) {
        List<Window> windows = run.windows().stream()
                .filter(window -> window.covers(seen.dueMs()) || window.covers(seen.dueMs() + ON_ITS_WAY_MS))
                .toList();
        // A message may begin again with a due time that is over. Its producer waits from the push on.
        long pushedMs = run.version(seen).map(Version::sentMs).orElse(0L);
        long lateMs = seen.atMs() - Math.max(seen.dueMs(), pushedMs);
        if (windows.isEmpty()) {
            outside.add(lateMs);
        }
        windows.stream().flatMap(window -> window.kinds().stream()).distinct().forEach(kind -> byFault.computeIfAbsent(
                        kind, key -> new ArrayList<>())
                .add(lateMs));
    }

    private static String text(List<Long> late) {
        long[] sorted = late.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted.length == 0
                ? "nothing was due there"
                : "p50 " + percentile(sorted, 50) + " ms, p99 " + percentile(sorted, 99) + " ms, max "
                        + percentile(sorted, 100) + " ms of " + sorted.length;
    }

    static long percentile(long[] sorted, int percent) {
        return sorted[Math.max(0, (int) Math.ceil(sorted.length * percent / 100.0) - 1)];
    }
}
