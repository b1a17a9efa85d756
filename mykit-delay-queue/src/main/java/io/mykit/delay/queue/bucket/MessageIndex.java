package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The index of waiting messages by due time, as any node uses it. A message's bucket follows from its id:
 * {@code bucket = hash(id) mod buckets()}. A leader claims a bucket, and scans and delivers through the {@link OwnedBucket}
 * that it gets.
 *
 * <p>Thread-safe. Every method blocks within the Redis timeout, and throws {@link IndexUnavailableException} when Redis cannot
 * be reached or refuses; then the change happened whole or not at all, and the caller cannot know which.
 */
public interface MessageIndex extends HealthCheck, AutoCloseable {
    /** A detail of {@link #check()}: the servers that may drop keys when their memory is full. Missing = there is none. */
    String EVICTING = "evicting";

    int buckets();

    int bucketOf(String id);

    /**
     * Puts messages into their buckets: one call per bucket, pipelined. A bucket that fails does not spoil the others,
     * so this method never throws {@link IndexUnavailableException} but reports it per message. An older version that still
     * waits is replaced; otherwise a message that the index knows is left as it is.
     *
     * @return one outcome per message, in order
     */
    List<ScheduleOutcome> schedule(List<DelayMessage> messages);

    /**
     * Takes a message out if it is still waiting for its due time; this decides races with the scanner. One that was removed is
     * vetoed, as by {@link #veto}.
     */
    Removal remove(String id);

    /** Undoes a removal, veto included. Never throws {@link IndexUnavailableException}, like {@link #schedule}. */
    ScheduleOutcome putBack(DelayMessage removed);

    /**
     * Takes messages out wherever they are, these versions and older ones, unless their delivery has begun; returns the ids
     * of those: taken, or delivered and parked.
     */
    Set<String> purge(Collection<MessageRef> messages);

    /**
     * Keeps messages that the index does not know from being scheduled for the next 20 seconds, these versions and older
     * ones: a reader of their rows from before a change comes too late. Returns the ids that it knows; those are left as they
     * are.
     */
    Set<String> veto(Collection<MessageRef> messages);

    /** Ends a veto before its time. Throws nothing: if it cannot be ended, it ends by itself. */
    void lift(MessageRef message);

    /** Where messages are, in whatever version; ids that the index does not know are absent. */
    Map<String, Location> locate(Collection<String> ids);

    /** The ids of those that the index does not know, or has only an older version of. */
    Set<String> unknown(Collection<MessageRef> messages);

    /** Is called, by any thread, with a bucket whose earliest due time has come nearer, on this node or another. */
    void onEarlier(BucketListener listener);

    /** The time by which due times are judged, epoch milliseconds. */
    long timeMs();

    /**
     * The buckets that would not take a message now: their server does not answer, or it refused writes when it was asked
     * last, within the last second. Throws nothing.
     */
    Set<Integer> refusing();

    /** The highest epoch that any bucket has seen; 0 if none. */
    long highestEpoch();

    /** How many messages are where in the bucket. */
    Census census(int bucket);

    /**
     * Makes the leader with this epoch the owner of the bucket; {@link OwnedBucket#found} tells in what state it was. May be
     * repeated in a term: each claim begins a new turn, and a call that was sent in an earlier turn and that Redis executes
     * later changes nothing.
     *
     * @throws FencedException if the bucket has seen a higher epoch
     */
    OwnedBucket claim(int bucket, long epoch);

    /**
     * Takes at most {@code limit} messages from the topic's ready list in each of these buckets, under a lease: one call per
     * bucket, pipelined. A bucket that fails does not spoil the others, so a failure is returned and not thrown.
     *
     * @return in the order of the buckets
     */
    List<Take> take(List<OwnedBucket> buckets, String topic, int limit, Duration lease);

    @Override
    void close();
}
