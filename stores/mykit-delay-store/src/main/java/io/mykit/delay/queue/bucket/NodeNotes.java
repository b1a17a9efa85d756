package io.mykit.delay.queue.bucket;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The notes by which nodes tell each other about themselves: one text for each node, its samples of the last hour, those of single topics, and the work that
 * operators asked it to stop. All of it may be lost with Redis at any time. A delivery depends on it in one case: a topic waits while a note names
 * another channel for it.
 *
 * <p>Thread-safe. Every method blocks, and throws {@link IndexUnavailableException} when Redis cannot be reached or refuses.
 */
public interface NodeNotes {
    /**
     * Writes the note about a node, and a sample.
     *
     * @param text begins with its time in epoch milliseconds
     * @param sample empty = none
     * @param oldestMs notes of other nodes from before this time are removed, and the time of all keys begins anew; a node asks for
     *     that now and then. 0 = not now
     */
    void write(String node, String text, String sample, long oldestMs);

    /** The notes by node. */
    Map<String, String> all();

    /**
     * The last samples of nodes, the oldest first. Those of an hour are kept, or a few more.
     *
     * @param lengths the number of samples by node
     */
    Map<String, List<String>> samples(Map<String, Integer> lengths);

    /**
     * Writes a sample of a minute for each topic. Those of an hour are kept; a topic without a sample for an hour is forgotten.
     *
     * @param samples by topic
     */
    void writeMinutes(String node, Map<String, String> samples);

    /** The samples of the minutes of one topic by node, the oldest first. */
    Map<String, List<String>> minutes(Collection<String> nodes, String topic);

    /**
     * Appends calls of operators. The last fifty of each end are kept, of all nodes together.
     *
     * @param texts the newest last
     */
    void writeCalls(CallEnd end, List<String> texts);

    /** The last calls of operators with this end, the newest last. */
    List<String> calls(CallEnd end);

    /** The work of a node that operators asked to stop. The requests count as read. */
    Set<String> stops(String node);

    /** Asks a node to stop some work. The request is forgotten if the node does not read it within half a minute. */
    void stop(String node, String work);

    /** What became of a call of an operator. */
    enum CallEnd {
        /** It acted, or may have acted. Nodes of all versions read and write these. */
        ACTED,
        /** It was refused, so it changed nothing. */
        REFUSED
    }
}
