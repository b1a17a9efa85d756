package io.mykit.delay.queue.overview;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.state.TopicDifferences;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares this node with the other live ones: tells {@link TopicDifferences} which channels they name, and counts those that differ. A node
 * has a say until a minute after its last note, or until it stops. So a Redis that lost the notes, or was away, changes nothing for the
 * moment. One thread looks; any thread may scrape.
 */
final class OtherNodes {
    /** A dead node has its say for so long. */
    private static final long SAY_MS = Duration.ofMinutes(1).toMillis();
    /** Only notes that are read for this look. */
    private static final long NOW = -1;

    private final Nodes nodes;
    private final TopicDifferences differing;
    /** The last notes by node. Only the looking thread uses it. */
    private final Map<String, NodeNote> last = new HashMap<>();

    private volatile long otherConfig;
    private volatile long otherVersion;

    OtherNodes(Nodes nodes, TopicDifferences differing, MeterRegistry meters) {
        this.nodes = nodes;
        this.differing = differing;
        Family.NODES_OTHER_CONFIG.gauge(meters, this, others -> others.otherConfig);
        Family.NODES_OTHER_VERSION.gauge(meters, this, others -> others.otherVersion);
    }

    /** Reads the notes and compares. May block. */
    void look() {
        Nodes.Seen seen = nodes.see(NOW);
        if (seen.complete()) {
            // A node that has stopped leaves its name, and no note.
            last.keySet().removeAll(seen.known());
            seen.all().forEach(note -> last.put(note.node(), note));
            last.values().removeIf(note -> seen.nowMs() - note.seenAtMs() > SAY_MS);
        }
        last.remove(seen.own().node());
        compare(seen.own(), last.values());
    }

    private void compare(NodeNote own, Collection<NodeNote> others) {
        otherConfig = others.stream()
                .filter(note -> NodeDifferences.differ(own, note))
                .count();
        otherVersion = others.stream()
                .filter(note -> !note.version().equals(own.version()))
                .count();
        Map<String, Map<String, String>> says = new TreeMap<>();
        for (NodeNote note : others) {
            note.rules().flatMap(NodeRules::topics).ifPresent(topics -> says.put(note.node(), topics));
        }
        differing.see(says);
    }
}
