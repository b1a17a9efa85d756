package io.mykit.delay.queue.bucket;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The notes by which nodes tell each other about themselves: one text for each node, its samples of the last hour, and the work that
 * operators asked it to stop. All of it may be lost with Redis at any time, and no delivery depends on it.
 *
 * <p>Thread-safe. Every method blocks, and throws {@link IndexUnavailableException} when Redis cannot be reached or refuses.
 */
public interface NodeNotes {
    /**
     * Writes the note about a node, and a sample.
     *
     * @param text begins with its time in epoch milliseconds
     * @param sample empty = none
     * @param oldestMs notes of other nodes from before this time are removed; 0 = none is removed
     * @return the work of this node that operators asked to stop; the request counts as read
     */
    Set<String> write(String node, String text, String sample, long oldestMs);

    /** The notes by node. */
    Map<String, String> all();

    /**
     * The last samples of nodes, the oldest first.
     *
     * @param lengths the number of samples by node
     */
    Map<String, List<String>> samples(Map<String, Integer> lengths);

    /** Asks a node to stop some work. The request is forgotten if the node does not read it within half a minute. */
    void stop(String node, String work);
}
