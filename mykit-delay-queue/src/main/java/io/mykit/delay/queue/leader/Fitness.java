package io.mykit.delay.queue.leader;

import java.util.Set;

/** What this node cannot do of a leader's work right now. */
@FunctionalInterface
public interface Fitness {
    /**
     * The names of the parts that cannot be used; empty if all can. All nodes give the same part the same name. May block for
     * about two seconds; called by one thread.
     */
    Set<String> unusable();
}
