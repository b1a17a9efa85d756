package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.MessageStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Pages of messages for people who look for them. Each page goes along an index and reads no body. Thread-safe; blocks.
 *
 * <p>A page of MySQL or MariaDB ends after a second: then the method throws {@link StoreUnavailableException}, as if the
 * database was away. A search must not take the database from pushes and deliveries.
 */
public interface SearchStore {
    /** The optional indexes that the message table has now. */
    SearchIndexes indexes();

    /**
     * Messages whose ids begin with this text, in the order of their ids.
     *
     * @param after only ids behind this one; empty = from the first
     */
    List<FoundMessage> byId(String prefix, String after, int limit);

    /** Messages in one status, in the order of due time and id. */
    List<FoundMessage> byDue(MessageStatus status, DueWindow window, RowCursor after, int limit);

    /** Messages of one topic, in the order of due time and id. Needs {@link SearchIndexes#topic}. */
    List<FoundMessage> byTopic(String topic, DueWindow window, RowCursor after, int limit);

    /**
     * Messages of the topics that begin with this text, in the order of topic, due time and id. Needs {@link SearchIndexes#topic}.
     *
     * @param prefix not empty; no white space at its ends, as in a topic
     * @param afterTopic the topic of the last row before, and only rows behind it; empty = from the first
     * @param after the end of the page before in that topic
     */
    List<FoundMessage> byTopicPrefix(String prefix, String afterTopic, RowCursor after, int limit);

    /** Messages with one business key, in the order of their ids. Needs {@link SearchIndexes#bizKey}. */
    List<FoundMessage> byBizKey(String bizKey, String after, int limit);

    /**
     * The unfinished messages of one topic with one business key, in no order, as they are at one moment: a message whose status or
     * due time changes meanwhile is found all the same.
     *
     * @param byKey whether to look along the index of business keys, which needs {@link SearchIndexes#bizKey}; otherwise along the
     *     unfinished messages
     * @param rows the maximum of rows to look at
     * @param limit the maximum of messages
     * @return empty if there are more rows to look at
     */
    Optional<List<RowCursor>> unfinishedOf(String topic, String bizKey, boolean byKey, int rows, int limit);

    /** The further details of these messages, by id; ids that do not exist are missing. At most 500 ids. */
    Map<String, FoundDetails> details(Collection<String> ids);

    /**
     * The database's estimate of how many messages are in these statuses and this window. It reads no rows, and may be off by
     * half. Empty if the database does not estimate.
     */
    OptionalLong estimate(Set<MessageStatus> statuses, DueWindow window);

    /** The keys of messages in one status, in the order of due time and id. The database reads index entries only. */
    List<RowCursor> keys(MessageStatus status, RowCursor after, int limit);

    /**
     * The light part of the rows of one topic among the next {@code looked} rows in one status, in the order of due time and id. The
     * database reads no body. An operator's work must come to its end, so this method has the time of other statements.
     *
     * @param dueBeforeMs only rows that are due before this time (epoch milliseconds, exclusive)
     */
    TopicPart<RowCursor> ofTopic(String topic, MessageStatus status, RowCursor after, long dueBeforeMs, int looked);

    /**
     * The same of the unfinished rows among the next {@code looked} rows of the table, in the order of their ids. A row costs a small
     * part of what it costs by its status, because the database keeps the rows in this order.
     *
     * @param after only ids behind this one; empty = from the first
     */
    TopicPart<String> ofTopic(String topic, String after, long dueBeforeMs, int looked);

    /**
     * The light part of the rows of one topic in any status, in the order of due time and id. Needs {@link SearchIndexes#topic}; has the
     * time of other statements.
     */
    List<RowState> ofTopic(String topic, RowCursor after, int limit);

    /** Why messages of this topic died, the last one first. */
    List<DeadNote> newestDead(String topic, int limit);
}
