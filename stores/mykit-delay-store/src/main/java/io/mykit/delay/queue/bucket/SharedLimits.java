package io.mykit.delay.queue.bucket;

import java.util.List;
import java.util.Optional;

/**
 * The limits that all nodes of the queue share. A rate is a bucket that holds the items of one second at most, by the clock of Redis; nodes take
 * shares from it and spend them by themselves. All of it may be lost with Redis at any time: then each bucket is full, and no topic is known.
 *
 * <p>Thread-safe. Every method blocks at most for the Redis timeout and never throws for a failure of Redis: it answers it for each order,
 * because the orders may go to several servers.
 */
public interface SharedLimits {
    /** A debt is forgotten beyond this time ahead, and so is the effect of a clock of Redis that was set back. */
    long MAX_AHEAD_SECONDS = 3600;

    /** A topic that no node has told of for this time no longer counts. */
    long TOPIC_KEPT_SECONDS = 86_400;

    /**
     * Takes shares, in one exchange.
     *
     * @return in the order of the orders; empty = no answer, and Redis may have carried out the order
     */
    List<Optional<RateShare>> take(List<RateOrder> orders);

    /**
     * Tells of topics that are pushed to, in one exchange.
     *
     * @return in the order of the orders: whether the topic is known or had a place; empty = no answer
     */
    List<Optional<Boolean>> admit(List<TopicOrder> orders);

    /**
     * The order of a share.
     *
     * @param owner the name of the bucket: up to 100 characters without braces
     * @param perSecond the rate, at least 1
     * @param debt items that this node has let pass already; they are taken in any case
     * @param wanted further items; fewer are given if fewer are there
     */
    record RateOrder(String owner, int perSecond, long debt, long wanted) {}

    /**
     * A share of a rate.
     *
     * @param given items, from 0 to those wanted
     * @param waitMs the time until another item is there, 0 or more milliseconds
     */
    record RateShare(long given, long waitMs) {}

    /**
     * The order of a place for a topic.
     *
     * @param topic without the namespace
     * @param max the topics that may be known at once
     */
    record TopicOrder(String namespace, String topic, int max) {}
}
