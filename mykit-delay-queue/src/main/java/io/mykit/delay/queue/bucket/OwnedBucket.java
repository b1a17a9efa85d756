package io.mykit.delay.queue.bucket;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A bucket in the hands of the leader that claimed it: only the owner scans, and only the owner changes leases and outcomes.
 *
 * <p>Thread-safe. Every method blocks within the Redis timeout and throws {@link IndexUnavailableException}, as in
 * {@link MessageIndex}. A method that changes the bucket throws {@link NotOwnedException} when the leader owns it no longer:
 * {@link FencedException} when the bucket has seen a higher epoch, {@link BucketLostException} when the bucket must be claimed
 * again, because its epoch is missing or lower, or because another Redis process answers than the one that it was claimed on.
 */
public interface OwnedBucket {
    /** Where {@link #collectStrays} begins, and what it returns at the end. */
    String FIRST_PAGE = "0";

    int bucket();

    /** Of the leader that claimed the bucket. */
    long epoch();

    /** In what state the claim found the bucket. */
    ClaimResult found();

    /** Ends what {@link ClaimResult#LOST} began: the bucket is whole again. */
    void markRestored();

    /** Ends what {@link ClaimResult#OLDER} began: the bucket agrees with the store. */
    void markCompared();

    /**
     * The due time of the message at the top, epoch milliseconds, or sooner if that was removed; -1 = the bucket is empty.
     * A cheap look for quiet times: {@link #moveDue} without the move.
     */
    long nextDue();

    /**
     * Moves at most {@code limit} due messages to the ready lists of their topics, or takes them. Each topic gets its share
     * of the limit, in due order. Due is what the shared clock has reached, and also this node's steady time, save for its
     * tolerance: a clock that jumps ahead makes nothing early.
     */
    ScanResult moveDue(int limit, Handover handover);

    /** The topics whose ready list is not empty, and its length. */
    Map<String, Long> ready();

    /** Forgets taken messages: their outcome is in the store. */
    void settle(Collection<String> ids);

    /** Gives taken messages back to the head of their ready list, in this order. */
    void release(String topic, List<String> ids);

    /** Puts taken messages back into the bucket, to fall due again after the delay (measured from now). */
    void postpone(Map<String, Duration> delays);

    /** Forgets taken messages but for their outcome, which the store could not take yet. */
    void park(Collection<ParkedOutcome> outcomes);

    /** Some of the outcomes that the store still has to learn. */
    List<ParkedOutcome> parked(int limit);

    /** The store has learnt these outcomes. */
    void unpark(Collection<String> ids);

    /**
     * Taken messages whose lease ended before {@code deadlineMs} (shared clock, epoch milliseconds), by topic, oldest
     * first; {@link Long#MAX_VALUE} = all. To be given back with {@link #release}.
     *
     * @param skip so many of them are passed over
     */
    Map<String, List<String>> leased(long deadlineMs, int skip, int limit);

    /** From the first one on. */
    default Map<String, List<String>> leased(long deadlineMs, int limit) {
        return leased(deadlineMs, 0, limit);
    }

    /** How many messages the bucket knows that are in no place: a key of it was lost. At least one, if there are any. */
    long strays();

    /**
     * Puts some of the messages that are in no place back into the bucket. A ready list is not looked into: its messages go
     * back as well, and their entries mean nothing any more.
     *
     * @param cursor where the last call ended; {@link #FIRST_PAGE} = begin
     * @return where to go on; {@link #FIRST_PAGE} = all have been looked at
     */
    String collectStrays(String cursor);

    /**
     * The ids of the messages that wait for their due time, page by page, in no order. A message that comes or goes meanwhile
     * may be left out, or met twice.
     */
    void forEachWaiting(Consumer<List<String>> pages);
}
