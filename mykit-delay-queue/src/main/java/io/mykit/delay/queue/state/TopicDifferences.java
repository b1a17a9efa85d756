package io.mykit.delay.queue.state;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The topics that another node delivers by another channel than this one. Thread-safe; no question blocks. */
public interface TopicDifferences {
    /** The difference about a topic; empty = the nodes agree, or the leader does not wait for that. */
    Optional<Difference> find(String topic);

    /** The names of {@code delivery.topics} that differ, sorted; some end with {@code *}. */
    List<Difference> names();

    /**
     * Takes in what the other live nodes say. One thread at a time calls it.
     *
     * @param others the channel of each name, by node
     */
    void see(Map<String, Map<String, String>> others);

    /**
     * One difference.
     *
     * @param topic a topic, or the beginning of topics with {@code *}
     * @param node the node that names another channel
     * @param channel the channel that it names
     * @param here the channel of this node
     */
    record Difference(String topic, String node, String channel, String here) {
        /** The difference as a sentence. */
        public String reason() {
            return "node " + node + " delivers it by " + channel + ", this node by " + here;
        }
    }
}
