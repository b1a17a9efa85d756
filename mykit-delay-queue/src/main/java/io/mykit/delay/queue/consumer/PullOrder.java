package io.mykit.delay.queue.consumer;

import java.time.Duration;
import java.util.List;

/**
 * The request of a consumer.
 *
 * @param topics in order of priority, at least one
 * @param count the maximum of messages, at least 1
 * @param longestWait how long the consumer waits for the first message; zero = not at all
 * @param ttr how long the consumer may hold the messages; null = as each message says, or {@code pull.ttr}
 * @param autoAck whether the messages are finished before the consumer gets them
 * @param consumer its name or address, for people; empty = not known
 */
public record PullOrder(
        List<String> topics, int count, Duration longestWait, Duration ttr, boolean autoAck, String consumer) {
    public PullOrder {
        topics = List.copyOf(topics);
        if (topics.isEmpty() || count < 1) {
            throw new IllegalArgumentException("no topics, or a count of " + count);
        }
    }

    /** A consumer that is not known. */
    public PullOrder(List<String> topics, int count, Duration longestWait, Duration ttr, boolean autoAck) {
        this(topics, count, longestWait, ttr, autoAck, "");
    }

    /** The same request of a consumer that does not wait. */
    public PullOrder atOnce() {
        return new PullOrder(topics, count, Duration.ZERO, ttr, autoAck, consumer);
    }
}
