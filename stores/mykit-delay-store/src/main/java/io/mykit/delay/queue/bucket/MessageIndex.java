package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The index of waiting messages by due time, with the calls that any node may make. A message's bucket follows from its id:
 * {@code bucket = hash(id) mod buckets()}. A leader claims a bucket, and then scans and delivers through the {@link
 * OwnedBucket} that the claim returns.
 *
 * <p>Thread-safe. Every method blocks at most for the Redis timeout. It throws {@link IndexUnavailableException} when Redis
 * cannot be reached or refuses. Then the change happened whole or not at all, and the caller cannot know which.
 */
public interface MessageIndex extends HealthCheck, AutoCloseable {
    /** A detail of {@link #check()}: the servers that may drop keys when their memory is full. Missing = no server may. */
    String EVICTING = "evicting";

    /** No topic: what is scheduled waits for the scan. */
    Predicate<String> NOT_PULLED = topic -> false;

    int buckets();

    /** The bucket of an id by the configuration of this node. Does not block. */
    int bucketOf(String id);

    /** The bucket in which all nodes look for this message now. It is another one than {@link #bucketOf} while the number of buckets changes. */
    int sharedBucketOf(String id);

    /**
     * Puts messages into their buckets: one call per bucket, pipelined. If one bucket fails, the others are still served.
     * So this method never throws {@link IndexUnavailableException} but reports it for each message. A message replaces its
     * older version if that one still waits. Otherwise a message that the index knows stays unchanged.
     *
     * @return one outcome per message, in order
     */
    default List<ScheduleOutcome> schedule(List<DelayMessage> messages) {
        return schedule(messages, message -> false);
    }

    /** @param attempted whether an attempt to deliver the message may have reached its receiver, see {@link Removal#attempted} */
    default List<ScheduleOutcome> schedule(List<DelayMessage> messages, Predicate<DelayMessage> attempted) {
        return schedule(messages, attempted, NOT_PULLED);
    }

    /**
     * As the other methods. A message of a pulled topic that is due already is in its ready list after the call, and its consumers are told
     * ({@link HoldIndex#onReady}): behind the messages that are due before it, and as long as the bucket is whole. It is due as {@link
     * OwnedBucket#moveDue} judges it.
     *
     * @param pulled whether consumers pull a topic; the index does not know it
     */
    List<ScheduleOutcome> schedule(
            List<DelayMessage> messages, Predicate<DelayMessage> attempted, Predicate<String> pulled);

    /**
     * Takes a message out, in any version, if it waits for its due time or is in its ready list. This call decides the race with the
     * scanner, the dispatcher and the consumers. A removed message is vetoed, as by {@link #veto}.
     */
    default Removal remove(String id) {
        return remove(new MessageRef(id, Integer.MAX_VALUE)).orElseThrow();
    }

    /**
     * As {@link #remove(String)}, in this version or an older one. The index may carry out a call long after its caller gave it up: then
     * a version that was accepted meanwhile stays.
     *
     * @return empty if the index has a later version, which stays where it is
     */
    Optional<Removal> remove(MessageRef message);

    /**
     * Undoes a removal and its veto. The message stays out while another call vetoes it. Like {@link #schedule}, this method never
     * throws {@link IndexUnavailableException}.
     *
     * @param attempted see {@link Removal#attempted}
     */
    ScheduleOutcome putBack(DelayMessage removed, boolean attempted);

    /**
     * Takes messages out of any place, in these versions and older ones, unless their delivery has begun. Returns the ids
     * that stay: messages that are taken, or delivered and parked.
     */
    Set<String> purge(Collection<MessageRef> messages);

    /**
     * Whether all nodes use the same server for this message, and it knows what is in delivery, as far as this node can know. Other
     * nodes may still use an older master for some seconds after a failover. Then they may deliver what this node has purged. A server
     * that was restarted may lack the leases and the parked outcomes of messages, until a leader has claimed the message's bucket there
     * and has said what it knows ({@link OwnedBucket#retake}).
     */
    boolean isSteady(String id);

    /**
     * Whether the leader may take a message for due that is not due by the clock of this node: it may still use another server, whose
     * clock is ahead. That is possible after a failover, until a leader has claimed the message's bucket on the server that this node uses.
     */
    boolean mayBeDueElsewhere(String id, long dueTimeMs);

    /**
     * Keeps messages that the index does not know from being scheduled for the next 20 seconds, in these versions and older
     * ones. So a reader of their rows from before a change cannot schedule them. Several calls may veto the same message. Returns the
     * ids that the index knows; it does not veto these.
     */
    Set<String> veto(Collection<MessageRef> messages);

    /**
     * Takes back one veto before its time. The message stays out while another call vetoes it. Never throws: if the call fails, the
     * veto ends by itself.
     */
    void lift(MessageRef message);

    /** The places of messages, in any version; ids that the index does not know are absent. */
    Map<String, Location> locate(Collection<String> ids);

    /** The ids of messages that the index does not know, or knows in an older version only. */
    Set<String> unknown(Collection<MessageRef> messages);

    /**
     * Adds a listener. Any thread may call it, with a bucket whose earliest due time has come nearer, on this node or
     * another one.
     */
    void onEarlier(BucketListener listener);

    /**
     * Tells the other nodes that the settings of a topic have changed in the store. The notice may be lost.
     *
     * @throws IndexUnavailableException if Redis cannot be reached
     */
    void announceTopics();

    /**
     * Adds a listener. Any thread may call it when another node has announced a change of settings, or when notices may have
     * been lost. It must return at once.
     */
    void onTopics(Runnable listener);

    /**
     * Tells the other nodes that an operator wants a topic to be tried now. The notice may be lost.
     *
     * @throws IndexUnavailableException if Redis cannot be reached
     */
    void announceRetry(String topic);

    /** Adds a listener. Any thread may call it, with the topic that another node has announced. It must return at once. */
    void onRetry(Consumer<String> listener);

    /** The calls on messages that consumers pull. */
    HoldIndex holds();

    /** The notes by which the nodes of the queue tell each other about themselves. */
    NodeNotes notes();

    /** The limits of callers that all nodes share. */
    SharedLimits limits();

    /** The time that decides which messages are due, epoch milliseconds. */
    long timeMs();

    /**
     * The buckets that cannot take a message now: their server does not answer now, or it refused writes at its last check,
     * within the last second. Never throws.
     */
    Set<Integer> refusing();

    /** The highest epoch that any bucket has seen; 0 = none. */
    long highestEpoch();

    /** The number of messages in all buckets: four short commands for each bucket, pipelined. */
    NearCount near();

    /** The number of messages in each place of the bucket. */
    Census census(int bucket);

    /**
     * Makes the leader with this epoch the owner of the bucket. {@link OwnedBucket#found} tells in which state the bucket
     * was. A leader may claim a bucket several times in a term. Each claim begins a new turn: if Redis executes a call of
     * an earlier turn later, this call changes nothing.
     *
     * @throws FencedException if the bucket has seen a higher epoch
     */
    OwnedBucket claim(int bucket, long epoch);

    /**
     * Takes at most {@code limit} messages from the topic's ready list in each of these buckets, under a lease: one call
     * per bucket, pipelined. If one bucket fails, the others are still served. So a failure is returned and not thrown.
     *
     * @return in the order of the buckets
     */
    List<Take> take(List<OwnedBucket> buckets, String topic, int limit, Duration lease);

    /** As {@link OwnedBucket#nextDue} of each of these buckets, pipelined. A failure is returned and not thrown, as by {@link #take}. */
    List<Answer<Long>> nextDue(List<OwnedBucket> buckets);

    /**
     * As {@link OwnedBucket#moveDue} of each of these buckets, pipelined. A failure is returned and not thrown, as by {@link #take}.
     * The buckets share the bound on the bodies of the messages that are taken at once.
     */
    List<Answer<ScanResult>> moveDue(List<OwnedBucket> buckets, int limit, Handover handover);

    /**
     * As {@link OwnedBucket#settle} of each of these buckets, pipelined. A failure is returned and not thrown, as by {@link #take}.
     *
     * @param ids of each bucket, in the order of the buckets
     */
    List<Answer<Void>> settle(List<OwnedBucket> buckets, List<? extends Collection<String>> ids);

    /**
     * The buckets in groups, in ascending order. The buckets of one group have the same server, now and after each failover. So a
     * server that is silent holds up the calls on one group only. On Redis Cluster, each bucket is a group of its own, because
     * buckets move between servers.
     */
    List<List<Integer>> serverGroups();

    @Override
    void close();
}
