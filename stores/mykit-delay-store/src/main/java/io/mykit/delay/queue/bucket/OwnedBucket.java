package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A bucket with the calls that only its owner may make, that is, the leader that claimed it: scans, leases and outcomes.
 *
 * <p>Thread-safe. Every method blocks at most for the Redis timeout and throws {@link IndexUnavailableException}, as in
 * {@link MessageIndex}. A method that changes the bucket throws {@link NotOwnedException} when the leader does not own it
 * any more: {@link FencedException} when the bucket has seen a higher epoch, {@link BucketLostException} when the leader
 * must claim the bucket again, because its epoch is missing or lower, or because another Redis process answers than the
 * process of the claim.
 */
public interface OwnedBucket {
    /** The first cursor of {@link #collectStrays}, and its result at the end. */
    String FIRST_PAGE = "0";

    int bucket();

    /** The epoch of the leader that claimed the bucket. */
    long epoch();

    /** The state in which the claim found the bucket. */
    ClaimResult found();

    /** Ends the state {@link ClaimResult#LOST}: the bucket is restored. */
    void markRestored();

    /** Ends the state {@link ClaimResult#OLDER}: the bucket agrees with the store. */
    void markCompared();

    /**
     * The due time of the first waiting message, epoch milliseconds; it may be too early if that message was removed; -1 =
     * the bucket is empty. It is a cheap read for quiet times, compared with {@link #moveDue}.
     */
    long nextDue();

    /**
     * Moves at most {@code limit} due messages to the ready lists of their topics, or takes them. Each topic gets its share
     * of the limit, in due order. A message is due when the shared clock has reached its due time, and this node's steady
     * time has reached it too, within the tolerance. So a clock that jumps ahead makes no message early.
     */
    ScanResult moveDue(int limit, Handover handover);

    /** The topics whose ready list is not empty, each with the length of the list. It is a read of each list. */
    Map<String, Long> ready();

    /** The topics whose ready list is not empty, by one read. A list that was lost may count. */
    Set<String> readyTopics();

    /** Forgets taken messages, because their outcome is in the store. */
    void settle(Collection<String> ids);

    /**
     * Extends the leases of taken messages: they end after this time from now. A message without a lease stays without
     * one.
     */
    void extend(Collection<String> ids, Duration lease);

    /**
     * Registers the leases of messages again that the leader has in delivery, at a claim, because the bucket may have lost data. The last
     * call has no messages: after it the bucket knows what is in delivery ({@link MessageIndex#isSteady}). The messages are
     * taken then, in these versions and older ones. A message that the bucket does not know is taken without its content, until a call
     * schedules it. A message that the bucket has in a later version stays as it is.
     *
     * @param lease from now
     */
    void retake(Collection<MessageRef> messages, Duration lease);

    /**
     * Puts taken messages back at the head of their ready list, in this order.
     *
     * @param attempted whether an attempt may have reached the receiver, see {@link Removal#attempted}
     */
    void release(String topic, List<String> ids, boolean attempted);

    /**
     * Puts taken messages back into the bucket with the content and the due time that they have here. If the bucket has
     * another version of a message, that one stays and falls due at once: the look at its row decides.
     *
     * @param attempted the ids of messages whose last attempt may have reached the receiver, see {@link Removal#attempted}
     */
    void postpone(Collection<DelayMessage> messages, Set<String> attempted);

    /**
     * Forgets messages and keeps only their outcomes, because the store could not take them yet. That holds for messages that are not
     * under a lease any more, too. A later version of a message stays, without the outcome, and so does a message that a consumer holds.
     */
    void park(Collection<ParkedOutcome> outcomes);

    /**
     * Turns the leases of these messages into holds with this receipt ({@link HoldIndex}), because the term ends and its leader still
     * sends them. The next leader does not see them before the end of their holds.
     *
     * @param hold from now
     */
    void leave(Collection<String> ids, Duration hold, String receipt);

    /** Some of the outcomes that are not in the store yet. */
    List<ParkedOutcome> parked(int limit);

    /** Forgets parked outcomes, because they are in the store now. */
    void unpark(Collection<String> ids);

    /**
     * Taken messages whose lease ended before {@code deadlineMs} (shared clock, epoch milliseconds), by topic, oldest
     * first; {@link Long#MAX_VALUE} = all. The caller gives them back with {@link #release}.
     *
     * @param skip the number of messages to pass over
     */
    Map<String, List<String>> leased(long deadlineMs, int skip, int limit);

    /** As {@link #leased(long, int, int)}, without passing over any message. */
    default Map<String, List<String>> leased(long deadlineMs, int limit) {
        return leased(deadlineMs, 0, limit);
    }

    /** Counts what may be orphaned, by a few lengths, however many messages there are. */
    StrayCount strays();

    /**
     * Drops some ghosts ({@link StrayCount#ghosts}) at the heads of the ready lists.
     *
     * @return whether there may be more of them
     */
    boolean trimReady();

    /**
     * Schedules some of the orphaned messages again. The first call drops the ready lists, and the calls schedule their messages again,
     * too: the next moves put them into new ones.
     *
     * @param cursor the result of the last call; {@link #FIRST_PAGE} = begin
     * @return the cursor of the next call; {@link #FIRST_PAGE} = the call has looked at all messages
     */
    String collectStrays(String cursor);

    /**
     * The ids of the messages that wait for their due time, page by page, in no order. If a message comes or goes
     * meanwhile, the pages may miss it, or have it twice.
     */
    void forEachWaiting(Consumer<List<String>> pages);
}
