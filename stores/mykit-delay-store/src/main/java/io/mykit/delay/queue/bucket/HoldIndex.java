package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The calls of the index on messages that consumers pull. Any node may make them: a hold belongs to a consumer and not to a
 * leader, so a change of the leader does not touch it.
 *
 * <p>A hold is a lease of a consumer, with a receipt. A held message waits in its bucket for the end of the hold, like a message that
 * waits for its due time. So the scan of the bucket finds a hold that has ended within milliseconds. It then gives the message to
 * the leader under a lease, and the leader counts the attempt.
 *
 * <p>Thread-safe. Every method blocks at most for the Redis timeout and throws {@link IndexUnavailableException}, as in {@link
 * MessageIndex}.
 */
public interface HoldIndex {
    /** The number of buckets by which all nodes find messages now. */
    int buckets();

    /**
     * Hands out the first messages of the topic's ready list in each of these buckets: one call per bucket, pipelined. If one bucket
     * fails, the others are still served. So a failure is returned and not thrown.
     *
     * @param each the bounds for each bucket
     * @param hold the length of the hold, at most a day
     * @param receipt of all messages that this call hands out
     * @return in the order of the buckets
     */
    List<Handout> handOut(Collection<Integer> buckets, String topic, Portion each, Duration hold, String receipt);

    /** Tells for each id whether it is under this hold. */
    Map<String, HoldState> holds(Collection<Held> sought);

    /**
     * Gives holds receipts that name their consumers. The old receipts stay valid.
     *
     * @param receipts made by {@link HoldReceipt#rename}
     */
    void rename(Map<Held, String> receipts);

    /** The holds of messages; those under no hold are missing. */
    Map<String, Hold> find(Collection<String> ids);

    /** Some messages of a topic that are under holds: those whose holds end first of a few thousand that it looks at. */
    List<HeldMessage> held(String topic, int limit);

    /**
     * What the receipts of a topic tell, of about so many messages under holds.
     *
     * @param most of all buckets together
     */
    List<HoldReceipt> receipts(String topic, int most);

    /** Forgets messages under these holds, because they have ended in the store. Returns the topics of those that it forgot, by id. */
    Map<String, String> forget(Collection<Held> ended);

    /** Extends holds: they end after this time from now. Returns the end of each hold that it extended, epoch milliseconds. */
    Map<String, Long> extend(Collection<Held> held, Duration hold);

    /**
     * Ends holds: the messages wait with the content and the due time that they have here. If the bucket has another version of
     * a message, that one stays and falls due at once: the look at its row decides.
     *
     * @param consumed whether consumers had the messages: then {@link Handout#handed} counts it
     * @return the ids whose hold it ended
     */
    Set<String> postpone(Map<Held, DelayMessage> messages, boolean consumed);

    /**
     * Ends holds: the messages are back at the head of their ready lists.
     *
     * @param consumed whether consumers had the messages: then {@link Handout#handed} counts it
     * @return the ids whose hold it ended
     */
    Set<String> release(Collection<Held> held, boolean consumed);

    /**
     * Ends holds, forgets the messages and keeps only their outcomes, because the store could not take them yet.
     *
     * @return the topics of the messages whose hold it ended, by id
     */
    Map<String, String> park(Map<Held, ParkedOutcome> outcomes);

    /** The length of the topic's ready list in each bucket; buckets without any are missing. */
    Map<Integer, Long> ready(String topic);

    /**
     * The topics that have ready messages, by bucket. Buckets without any are missing, and buckets that do not answer.
     *
     * @throws IndexUnavailableException if no bucket answers
     */
    Map<Integer, Set<String>> readyTopics();

    /** The topics with this prefix that have messages in the index, in order, after this name; empty = from the first one. */
    List<TopicCensus> topics(String prefix, String after, int limit);

    /**
     * The topics that have messages in the index and begin with one of these texts, in no order. A topic whose first message comes, or
     * whose last one goes, meanwhile may be among them or not. Reads the names a page at a time, so no call holds the index up for long.
     */
    Set<String> names(Collection<String> beginnings);

    /** The numbers of these topics, in order. */
    List<TopicCensus> topics(List<String> names);

    /**
     * Counts the messages of all topics, some topics at a time, so that no call holds the index up for long.
     *
     * @param most the maximum of topics
     */
    TopicCounts counts(int most);

    /**
     * Counts the messages of these topics, some at a time, without those that the leader delivers.
     *
     * @return in order; {@link TopicCount#leased} is 0
     */
    List<TopicCount> counts(List<String> names);

    /**
     * The first messages of a topic, without handing them out, in due order.
     *
     * @param where READY, or WAITING: the messages that wait for their due time, without those that consumers hold
     */
    List<DelayMessage> peek(String topic, Location where, int limit);

    /**
     * Adds a listener. Any thread may call it, with a bucket and a topic whose ready list has got messages, on this node or another
     * one. Notices may be lost.
     */
    void onReady(ReadyListener listener);
}
