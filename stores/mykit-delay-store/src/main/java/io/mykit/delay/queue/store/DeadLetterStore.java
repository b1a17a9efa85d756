package io.mykit.delay.queue.store;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The dead letters among the messages of a store: those in the status FAILED. The store keeps a small row for each, in the
 * transaction of the change, so that they are found by their topic. Every method is one transaction; see {@link
 * MessageStore}. Thread-safe.
 */
public interface DeadLetterStore {
    /**
     * The topics that have dead letters, in order.
     *
     * @param prefix only topics that begin with it; empty = all topics
     * @param after only topics behind this one; empty = from the first
     */
    List<DeadTopic> deadTopics(String prefix, String after, int limit);

    /** A page of the dead letters of one topic, the oldest first. */
    List<DeadLetter> deadLetters(String topic, DeadQuery query, DeadCursor after, int limit);

    /** The dead letter with this id; empty if the message is none. */
    Optional<DeadLetter> deadLetter(String id);

    /** The number of dead letters of one topic. The database reads their index entries. */
    long countDead(String topic, DeadQuery query);

    /** The number of all dead letters. The database reads all their index entries. */
    long countDead();

    /** The number of all dead letters, counted up to a limit. */
    long countDead(int most);

    /**
     * Gives stored messages new due times and their next versions, with a status change each. A change is left out if its
     * row does not have the version and the {@code from} status of the change any more.
     *
     * @return the ids of the changes that were left out
     */
    Set<String> reschedule(List<Rescheduling> changes);
}
