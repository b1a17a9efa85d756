package io.mykit.delay.queue.state;

import java.util.List;
import java.util.Optional;

/** The topics that cannot be delivered now, each with the words of its broker. Only the leader has entries. Thread-safe. */
public interface FailingTopics {
    int count();

    /**
     * The topics that have failed for the longest time.
     *
     * @param nowMs the time of the cluster
     */
    List<Topic> longest(int most, long nowMs);

    /** Empty if the topic is delivered. */
    Optional<Topic> find(String topic, long nowMs);

    /**
     * A topic that cannot be delivered.
     *
     * @param sinceMs the first failure in cluster time, epoch milliseconds
     * @param tries the failures in a row
     * @param reason the last one
     */
    record Topic(String topic, long sinceMs, int tries, String reason) {}
}
