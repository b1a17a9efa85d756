package io.mykit.delay.queue.store;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The durable truth about messages. Every method is one transaction: it happens whole or not at all, and every status
 * change leaves its rows in the flow log in the same transaction.
 *
 * <p>Thread-safe. Every method blocks, within twice the datasource's timeout, and throws {@link StoreUnavailableException}
 * when nothing happened, or {@link StoreInDoubtException} when that cannot be known.
 */
public interface MessageStore extends HealthCheck, AutoCloseable {
    /**
     * Inserts new messages together. An id that is already there, or comes twice in the batch, never spoils the
     * others.
     *
     * @return one result per message, in order
     */
    List<InsertResult> insert(List<NewMessage> batch);

    /** The message with its status. */
    Optional<StoredMessage> find(String id);

    /** Those of the messages that exist, in no particular order. */
    List<StoredMessage> find(Collection<String> ids);

    /**
     * Like {@link #find(Collection)}, but in parts: for messages that need not be in memory all at once.
     *
     * @param maxBodies see {@link #page}
     * @param part is called for each part, on the caller's thread
     */
    void find(Collection<String> ids, long maxBodies, Consumer<List<StoredMessage>> part);

    /** Those of the rows that exist, without what is heavy; the dispatcher's last look before a delivery. */
    List<RowState> states(Collection<String> ids);

    /** The message's way so far, oldest first. */
    List<StatusFlow> flow(String id);

    /**
     * Applies status changes together. A change whose row no longer has its version and {@code from} state is left out: a
     * lost race, an expected outcome.
     *
     * @return the ids whose change was left out
     */
    Set<String> move(List<Transition> transitions);

    /**
     * Gives an existing message new content (everything but the id) together with a status change.
     *
     * @param message the version after the transition's
     * @return false if the row does not have the transition's version and {@code from} state; then nothing changed
     */
    boolean rewrite(DelayMessage message, Transition transition);

    /**
     * A page of messages in one status, by due time and id. It ends before its bodies together would be longer than they
     * may be, but has one row at least; longer bodies than fit are not read at all.
     *
     * @param after the last row of the page before, or {@link RowCursor#START}
     * @param dueBeforeMs only rows due before it (epoch milliseconds, exclusive); {@link Long#MAX_VALUE} = all
     * @param limit at most this many
     * @param maxBodies bytes or characters, as the database counts the length of a text
     */
    MessagePage page(MessageStatus status, RowCursor after, long dueBeforeMs, int limit, long maxBodies);

    /** The rows of a {@link #page} without what is heavy, and all that the limit allows. */
    List<RowState> pageStates(MessageStatus status, RowCursor after, long dueBeforeMs, int limit);

    /** How many messages are in this status. Goes through the index of all of them: about 0.2 s a million. */
    long count(MessageStatus status);

    /** Like {@link #pageStates}, with what housekeeping has to know. */
    List<EndedRow> pageEnded(MessageStatus status, RowCursor after, long dueBeforeMs, int limit);

    /**
     * Removes messages that ended, with their log, for good. Those that were changed meanwhile stay.
     *
     * @param status what they are in: none that is unfinished
     * @param changedBeforeMs only those last changed before it (epoch milliseconds)
     * @return how many were removed
     */
    int remove(MessageStatus status, long changedBeforeMs, Collection<String> ids);

    /**
     * Claims the database for a queue, once and for ever. To be called before anything else is done with the store.
     *
     * @throws io.mykit.delay.config.ConfigException if it belongs to another queue; the message says what to do
     */
    void claim(QueueIdentity queue);

    /**
     * Takes the next epoch of a standalone leader.
     *
     * @param name which queue
     * @param atLeast the result is not lower than this
     */
    long nextEpoch(String name, long atLeast);

    @Override
    void close();
}
