package io.mykit.delay.queue.overview;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The warnings that follow from the notes of all nodes, and those in the notes. A state that lasts only for a moment, as during a
 * hand-over, gives no warning. Thread-safe.
 */
final class ClusterWarnings {
    private static final long LASTING_MS = Duration.ofSeconds(10).toMillis();
    private static final long STALE_MS = Duration.ofSeconds(12).toMillis();

    /** The worst one comes first. */
    private static final List<String> SEVERITIES = Arrays.stream(WarningCode.Severity.values())
            .map(WarningCode.Severity::word)
            .toList();

    /** Since when a state lasts, by its code. Guarded by this. */
    private final Map<WarningCode, Long> since = new HashMap<>();

    /** The worst come first, as JSON values. */
    synchronized List<Map<String, Object>> of(Nodes.Seen seen) {
        List<Warning> found = new ArrayList<>();
        List<NodeNote> leaders = seen.leaders();
        lasting(WarningCode.NO_LEADER, seen.complete() && leaders.isEmpty(), noLeader(seen), seen.nowMs(), found);
        lasting(WarningCode.TWO_LEADERS, leaders.size() > 1, names(leaders), seen.nowMs(), found);
        for (NodeNote note : seen.all()) {
            if (seen.nowMs() - note.seenAtMs() > STALE_MS) {
                found.add(new Warning(WarningCode.CARD_STALE, note.seenAtMs(), Map.of("node", note.node()), ""));
            }
        }
        NodeDifferences.ofRules(seen).ifPresent(found::add);
        NodeDifferences.ofVersions(seen).ifPresent(found::add);
        Map<String, Map<String, Object>> distinct = new LinkedHashMap<>();
        found.forEach(warning -> add(distinct, warning.fields()));
        for (NodeNote note : seen.all()) {
            note.warnings().forEach(warning -> add(distinct, warning));
        }
        List<Map<String, Object>> all = new ArrayList<>(distinct.values());
        all.sort(Comparator.comparing(ClusterWarnings::severity));
        return all;
    }

    private void lasting(WarningCode code, boolean holds, Map<String, Object> args, long nowMs, List<Warning> found) {
        if (!holds) {
            since.remove(code);
            return;
        }
        long begin = since.computeIfAbsent(code, first -> nowMs);
        if (nowMs - begin >= LASTING_MS) {
            found.add(new Warning(code, begin, args, ""));
        }
    }

    private static Map<String, Object> noLeader(Nodes.Seen seen) {
        List<String> without = seen.all().stream()
                .filter(note -> note.down().contains(Parts.REGISTRY))
                .map(NodeNote::node)
                .toList();
        return Map.of("withoutRegistry", String.join(", ", without));
    }

    private static Map<String, Object> names(List<NodeNote> leaders) {
        return Map.of(
                "nodes", String.join(", ", leaders.stream().map(NodeNote::node).toList()));
    }

    /** Several nodes may give the same warning about the queue. A warning about one node names it. */
    private static void add(Map<String, Map<String, Object>> distinct, Map<String, Object> warning) {
        Object args = warning.get("args") instanceof Map<?, ?> given ? new TreeMap<>(given) : "";
        distinct.putIfAbsent(warning.get("code") + " " + args, warning);
    }

    private static int severity(Map<String, Object> warning) {
        int place = SEVERITIES.indexOf(String.valueOf(warning.get("severity")));
        return place < 0 ? SEVERITIES.size() : place;
    }
}
