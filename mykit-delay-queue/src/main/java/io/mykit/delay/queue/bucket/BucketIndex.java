package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Where waiting messages are kept by due time. Any node finds a message by its id: {@code bucket = hash(id) mod
 * buckets()}.
 *
 * <p>Thread-safe. Every method blocks within the Redis timeout and throws {@link IndexUnavailableException} when Redis
 * cannot be reached or refuses; then the change happened whole or not at all, and nobody knows which. The methods that
 * take an epoch are the leader's, and one epoch owns a bucket: they throw {@link FencedException} when the bucket has seen a
 * higher one, and {@link BucketLostException} when it must be claimed anew: its epoch is missing or lower, or another Redis
 * process answers than the one that it was claimed on. Each claim begins a new turn: what the leader sent in an earlier one
 * and Redis executes later changes nothing.
 */
public interface BucketIndex extends HealthCheck, AutoCloseable {
    int buckets();

    int bucketOf(String id);

    // ---- any node ----

    /**
     * Puts messages into their buckets: one call per bucket, pipelined. A bucket that fails does not spoil the others,
     * so this method never throws {@link IndexUnavailableException} but reports it per message. A message that the
     * index already knows is left as it is.
     *
     * @return one outcome per message, in order
     */
    List<ScheduleOutcome> schedule(List<DelayMessage> messages);

    /**
     * Puts a message into its bucket in the place of an older version of it that waits there: whoever read the row before it
     * changed may have scheduled that. No veto holds it back. {@link ScheduleOutcome#KNOWN}: the older one is due already.
     */
    ScheduleOutcome reschedule(DelayMessage message);

    /**
     * Takes a message out if it is still waiting for its due time; this decides races with the scanner. One that was removed is
     * vetoed, as by {@link #veto}: {@link #reschedule} puts it back.
     */
    Removal remove(String id);

    /**
     * Takes messages out wherever they are, unless their delivery has begun; returns the ids of those: taken, or
     * delivered and parked.
     */
    Set<String> purge(Collection<String> ids);

    /**
     * Keeps messages that the index does not know from being scheduled for the next 20 seconds: who read their rows before
     * they changed comes too late. Returns the ids that it knows; those are left as they are.
     */
    Set<String> veto(Collection<String> ids);

    /** Ends a veto before its time. Throws nothing: if it cannot be ended, it ends by itself. */
    void lift(String id);

    /** Where messages are; ids that the index does not know are absent. */
    Map<String, Location> locate(Collection<String> ids);

    /** Those that {@link #locate} would not find, for less. */
    Set<String> unknown(Collection<String> ids);

    /** Is called, by any thread, with a bucket whose earliest due time has come nearer, on this node or another. */
    void onEarlier(BucketListener listener);

    /** The shared clock, epoch milliseconds. */
    long timeMs();

    /** The highest epoch that any bucket has seen; 0 if none. */
    long highestEpoch();

    // ---- the leader ----

    /** Fences the bucket with this epoch; may be repeated in a term. */
    ClaimResult claim(int bucket, long epoch);

    /** Ends what {@link ClaimResult#LOST} began: the bucket is whole again. */
    void markRestored(int bucket, long epoch);

    /** Ends what {@link ClaimResult#OLDER} began: the bucket agrees with the store. */
    void markCompared(int bucket, long epoch);

    /**
     * The due time of the message at the top, epoch milliseconds, or sooner if that was removed; -1 = the bucket is empty.
     * A cheap look for quiet times: {@link #moveDue} without the move.
     */
    long nextDue(int bucket, long epoch);

    /**
     * Moves at most {@code limit} due messages to the ready lists of their topics, or takes them. Each topic gets its share
     * of the limit, in due order.
     */
    ScanResult moveDue(int bucket, long epoch, int limit, Handover handover);

    /**
     * Takes at most {@code limit} messages from the topic's ready list in each of these buckets, under a lease; pipelined.
     * A bucket that fails does not spoil the others, so what went wrong is returned and not thrown.
     *
     * @return in the order of the buckets
     */
    List<Take> take(List<Integer> buckets, String topic, long epoch, int limit, Duration lease);

    /** Forgets taken messages: their outcome is in the store. */
    void settle(int bucket, long epoch, Collection<String> ids);

    /** Gives taken messages back to the head of their ready list, in this order. */
    void release(int bucket, String topic, long epoch, List<String> ids);

    /** Puts taken messages back into the bucket, to fall due again after the delay (measured from now). */
    void postpone(int bucket, long epoch, Map<String, Duration> delays);

    /** Forgets taken messages but for their outcome, which the store could not take yet. */
    void park(int bucket, long epoch, Collection<ParkedOutcome> outcomes);

    /** Some of the outcomes that the store still has to learn. */
    List<ParkedOutcome> parked(int bucket, int limit);

    /** The store has learnt these outcomes. */
    void unpark(int bucket, long epoch, Collection<String> ids);

    /**
     * Taken messages whose lease ended before {@code deadlineMs} (shared clock, epoch milliseconds), by topic, oldest
     * first; {@link Long#MAX_VALUE} = all. To be given back with {@link #release}.
     *
     * @param skip so many of them are passed over
     */
    Map<String, List<String>> leased(int bucket, long deadlineMs, int skip, int limit);

    /** From the first one on. */
    default Map<String, List<String>> leased(int bucket, long deadlineMs, int limit) {
        return leased(bucket, deadlineMs, 0, limit);
    }

    /** How many messages the bucket knows that are in no place: a key of it was lost. At least one, if there are any. */
    long strays(int bucket);

    /**
     * Puts some of the messages that are in no place back into the bucket. A ready list is not looked into: its messages go
     * back as well, and their entries mean nothing any more.
     *
     * @param cursor where the last call ended; {@code "0"} = begin
     * @return where to go on; {@code "0"} = all have been looked at
     */
    String collectStrays(int bucket, long epoch, String cursor);

    /** The topics whose ready list is not empty, and its length. */
    Map<String, Long> ready(int bucket);

    /** Messages waiting in the bucket for their due time. */
    long waiting(int bucket);

    /** Their ids, page by page, in no order. A message that comes or goes meanwhile may be left out, or met twice. */
    void forEachWaiting(int bucket, Consumer<List<String>> pages);

    @Override
    void close();
}
