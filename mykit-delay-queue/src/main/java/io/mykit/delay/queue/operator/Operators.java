package io.mykit.delay.queue.operator;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.queue.store.TopicPause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The face of the queue for operators. Any node may do their work, at the same time as pushes, cancels and deliveries. Thread-safe. The
 * calls block, unless they say otherwise; those on many messages for minutes. Each of them may throw a {@link DelayException} of
 * STORE_UNAVAILABLE or INDEX_UNAVAILABLE; a second call goes on then.
 */
public interface Operators extends Works {
    /**
     * Takes the turn of a walk over many messages: one at a time runs on a node. The caller takes it before {@link #restoreAll}, {@link
     * #clear}, {@link #respawn} or {@link #discard}. Does not block.
     *
     * @return lets the next walk begin, and must be run when this one has ended; idempotent
     * @throws DelayException ALREADY_RUNNING; the message gives the progress of the running one
     */
    Runnable turn();

    /** Stops the walk that an operator started on this node after the current page; empty if none is running. Does not block. */
    Optional<RunningWork> stopOrdered();

    /**
     * Puts back the messages that the index does not know.
     *
     * @throws DelayException also ALREADY_RUNNING if a restore runs on this node, and INVALID_REQUEST if the order resumes a restore of
     *     another kind
     */
    RestoreReport restoreAll(RestoreOrder order);

    /**
     * Puts one message back, whatever its status. If its due time is over, its new due time is now.
     *
     * @return false if no message has this id
     */
    boolean restoreOne(String id);

    /** Cancels every message of the order that is unfinished at the call, except those in delivery. */
    ClearReport clear(ClearOrder order);

    /** The topics that begin with the prefix and have dead letters. */
    List<DeadTopic> deadTopics(String prefix, int limit);

    /** A page of the dead letters of one topic. */
    List<DeadLetter> deadLetters(String topic, DeadQuery query, DeadCursor after, int limit);

    /** The newest dead letters of one topic by their causes. */
    DeadGroups deadGroups(String topic);

    /** Puts dead letters back with new due times. Their attempts begin at 0. */
    DeadReport respawn(DeadOrder order, Pace pace);

    /**
     * Puts the oldest dead letters of one topic back, due now, with other attempts and another ttl. Each is a transaction of its own. It
     * takes no {@link #turn}, and calls on one topic may overlap.
     *
     * @param limit the maximum of dead letters
     * @param maxAttempts the first attempt included; 0 = no limit. The other keys of their retry policies stay
     * @param ttlSeconds counts from the new due time; 0 = no limit
     * @return how many were put back
     */
    long respawn(String topic, long limit, int maxAttempts, long ttlSeconds);

    /** Sets the oldest dead letters of one topic to DELETE, without a {@link #turn}. Returns how many it changed. */
    long discard(String topic, long limit);

    /** Sets dead letters to DELETE. */
    DeadReport discard(DeadOrder order);

    /**
     * Puts one dead letter back.
     *
     * @param delay from now to its due time; zero = due now
     * @return false if no dead letter has this id; see {@link #noDeadLetter}
     */
    boolean respawnOne(String id, Duration delay);

    /** Returns false if no dead letter has this id; see {@link #noDeadLetter}. */
    boolean discardOne(String id);

    /**
     * Pauses a topic. A pause that the topic has already gets the new end.
     *
     * @param length empty = until the topic is resumed
     * @throws DelayException also OUTCOME_UNKNOWN; the same call again is safe
     */
    TopicPause pause(String topic, Optional<Duration> length);

    /** Ends the pause of a topic, if there is one. It throws as {@link #pause}. */
    void resume(String topic);

    /**
     * Ends the pause that a topic makes after failures, so that its next message is sent now. A topic that does not back off goes on as
     * before.
     *
     * @return whether this node leads, and so has ended the pause; otherwise it has told the leader, and that notice may be lost
     */
    boolean retry(String topic);

    /**
     * Changes settings of this very topic, on all nodes. They come before those of the configuration, name by name.
     *
     * @param changes the values by the names of {@link #policy} and {@link #settings}, as texts; empty = the configuration has a say again
     * @throws DelayException INVALID_REQUEST naming what cannot be used; also OUTCOME_UNKNOWN; the same call again is safe
     */
    void changeTopic(String topic, Map<String, Optional<String>> changes);

    /** The policy of a topic, and where each key comes from. Does not block. */
    List<PolicyKey> policy(String topic);

    /** The topics that begin with the prefix and have a policy that operators gave them, in order, as this node knows them. Does not block. */
    List<String> topicsWithPolicy(String prefix);

    /**
     * The other settings of a topic, and where each comes from: {@code channel}, and {@code metrics}, whether the topic has a label of its
     * own in the metrics. Does not block.
     */
    List<PolicyKey> settings(String topic);

    /** The error NOT_FOUND for an id that no dead letter has. */
    static DelayException noDeadLetter(String id) {
        return new DelayException(ErrorCode.NOT_FOUND, "no dead letter has the id " + id);
    }
}
