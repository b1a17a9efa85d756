package io.mykit.delay.core.log;

import io.mykit.delay.queue.leader.LeaderElector;
import java.util.Locale;

/** The facts about this node in each JSON line. Thread-safe. */
final class NodeFacts {
    private final String queue;
    private final String version;
    private volatile Member member;

    NodeFacts(String queue, String version) {
        this.queue = queue;
        this.version = version;
    }

    /** From now on the node has a name, and takes part in the election. */
    void identify(String node, LeaderElector elector) {
        member = new Member(node, elector);
    }

    void addTo(JsonText line) {
        Member known = member;
        if (known != null) {
            line.add("node", known.node, JsonLines.MAX_NAME);
        }
        line.add("queue", queue, JsonLines.MAX_NAME);
        if (known != null) {
            line.add("role", known.elector.role().name().toLowerCase(Locale.ROOT), JsonLines.MAX_NAME)
                    .add("epoch", known.elector.epoch());
        }
        line.add("version", version, JsonLines.MAX_NAME);
    }

    private record Member(String node, LeaderElector elector) {}
}
