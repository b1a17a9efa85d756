package io.mykit.delay.queue.query;

import io.mykit.delay.queue.bucket.Location;
import java.util.List;
import java.util.Map;

/**
 * Shows topics and their first messages, for the HTTP interface. Calls may block, and throw {@code DelayException} if a store
 * is away. Thread-safe.
 */
public interface TopicLookup {
    /**
     * The topics that have messages in the index or dead letters, or are paused, in order.
     *
     * @param prefix only topics that begin with it; empty = all topics
     * @param after only topics behind this one; empty = from the first
     */
    List<TopicView> topics(String prefix, String after, int limit);

    /** One topic, also if it has no messages, with the time of its oldest ready message. */
    TopicView topic(String topic);

    /**
     * The first messages of a topic that are ready or that wait, or some that consumers hold. They stay in their places.
     *
     * @param where READY, WAITING or TAKEN
     */
    List<PeekedMessage> peek(String topic, Location where, int limit);

    /** The consumers that hold messages of a topic: the number of messages by the name of the consumer. It looks at about a thousand. */
    Map<String, Integer> holders(String topic);
}
