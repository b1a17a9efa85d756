package io.mykit.delay.queue.operate;

import io.mykit.delay.queue.overview.Overviews;
import io.mykit.delay.queue.query.TopicList;
import io.mykit.delay.queue.query.TopicListOrder;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicState;
import io.mykit.delay.queue.search.DueCount;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.search.SearchPage;
import io.mykit.delay.queue.store.SearchIndexes;
import java.util.List;

/**
 * What people see of the queue. Nothing here changes a message. Thread-safe. An error is a {@code DelayException} of STORE_UNAVAILABLE or
 * INDEX_UNAVAILABLE, and of those that a method names. The calls block, unless they say otherwise.
 */
public interface QueueView {
    /**
     * Reads a page of messages.
     *
     * @throws io.mykit.delay.common.error.DelayException also BUSY if other searches run, and INVALID_REQUEST if the cursor belongs to
     *     another way
     */
    SearchPage search(SearchOrder order);

    /**
     * The ids of the unfinished messages of a topic and a business key, in the order of their due times.
     *
     * @throws io.mykit.delay.common.error.DelayException also TOO_MANY, BUSY, and INVALID_REQUEST without an index of business keys
     */
    List<String> unfinished(String topic, String bizKey);

    /** The optional indexes of the database. */
    SearchIndexes indexes();

    /** When the unfinished messages fall due, as it was counted last. Does not block. */
    DueCount due();

    /** Topics one by one, and their first messages. */
    TopicLookup topics();

    /** A page of all topics with their numbers. */
    TopicList topics(TopicListOrder order);

    /** Why a topic cannot be delivered, and whether this node knows it. Does not block. */
    TopicState state(String topic);

    /** The state of the whole queue. */
    Overviews overviews();
}
