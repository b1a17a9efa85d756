package io.mykit.delay.queue.overview;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** The warnings about nodes that differ: in their version, or in what decides where and how they deliver. Stateless. */
final class NodeDifferences {
    /** During an upgrade, the nodes differ for some minutes. */
    static final Duration UPGRADE = Duration.ofMinutes(10);

    private static final int MAX_KEYS = 10;

    private NodeDifferences() {}

    /** Nodes that have had different versions for longer than an upgrade takes. */
    static Optional<Warning> ofVersions(Nodes.Seen seen) {
        Map<String, Set<String>> nodes = new TreeMap<>();
        for (NodeNote note : seen.all()) {
            nodes.computeIfAbsent(note.version(), version -> new TreeSet<>()).add(note.node());
        }
        long sinceMs = since(seen.all(), NodeNote::version);
        if (nodes.size() < 2 || seen.nowMs() - sinceMs < UPGRADE.toMillis()) {
            return Optional.empty();
        }
        List<String> parts = nodes.entrySet().stream()
                .map(version -> version.getKey() + " (" + String.join(", ", version.getValue()) + ")")
                .toList();
        return Optional.of(
                new Warning(WarningCode.VERSIONS_DIFFER, sinceMs, Map.of("versions", String.join(", ", parts)), ""));
    }

    /** Nodes that do not deliver as the leader does, or as this node if no node leads. A node of an older version does not tell. */
    static Optional<Warning> ofRules(Nodes.Seen seen) {
        NodeNote base = seen.leader().filter(note -> note.rules().isPresent()).orElse(seen.own());
        List<NodeNote> telling =
                seen.all().stream().filter(note -> note.rules().isPresent()).toList();
        List<NodeNote> others =
                telling.stream().filter(note -> differ(base, note)).toList();
        if (others.isEmpty()) {
            return Optional.empty();
        }
        Set<String> keys = new TreeSet<>();
        others.forEach(note ->
                keys.addAll(base.rules().orElseThrow().differences(note.rules().orElseThrow())));
        Map<String, Object> args = Map.of(
                "nodes", String.join(", ", others.stream().map(NodeNote::node).toList()),
                "base", base.node(),
                "keys", keys(keys));
        return Optional.of(new Warning(WarningCode.CONFIG_DIFFERS, since(telling, NodeDifferences::digest), args, ""));
    }

    /** Whether two nodes tell different rules. */
    static boolean differ(NodeNote one, NodeNote other) {
        return one.rules().isPresent()
                && other.rules().isPresent()
                && !digest(one).equals(digest(other));
    }

    private static String digest(NodeNote note) {
        return note.rules().map(NodeRules::digest).orElse("");
    }

    /** Too many topics or keys for the notes are no names. */
    private static String keys(Set<String> keys) {
        if (keys.isEmpty()) {
            return "delivery.*";
        }
        String first = String.join(", ", keys.stream().limit(MAX_KEYS).toList());
        return keys.size() > MAX_KEYS ? first + ", ..." : first;
    }

    /** The start of the first node that had another value than a node before it. */
    private static long since(List<NodeNote> notes, Function<NodeNote, String> value) {
        Map<String, Long> firstStarts = new TreeMap<>();
        notes.forEach(note -> firstStarts.merge(value.apply(note), note.startedAtMs(), Math::min));
        return firstStarts.values().stream().sorted().skip(1).findFirst().orElse(0L);
    }
}
