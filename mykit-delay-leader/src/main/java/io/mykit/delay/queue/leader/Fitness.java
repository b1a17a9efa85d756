package io.mykit.delay.queue.leader;

import java.util.Set;

/** Tells which parts of the leader's work this node cannot use now. */
@FunctionalInterface
public interface Fitness {
    /**
     * Returns the names of the parts that this node cannot use; empty if it can use all parts. All nodes use the same name
     * for the same part. May block for about two seconds. One thread calls it.
     */
    Set<String> unusable();
}
