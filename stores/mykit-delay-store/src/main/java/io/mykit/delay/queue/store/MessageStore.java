package io.mykit.delay.queue.store;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The durable record of all messages. Every method is one transaction: either all of its changes are made or none.
 * Every status change writes its rows of the flow log in the same transaction.
 *
 * <p>Thread-safe. Every method blocks, for at most twice the timeout of the datasource. A method throws {@link
 * StoreUnavailableException} if nothing was changed, and {@link StoreInDoubtException} if the store cannot know
 * whether the change was made.
 */
public interface MessageStore extends DeadLetterStore, HealthCheck, AutoCloseable {
    /**
     * Inserts new messages together. An id that exists already, or that comes twice in the batch, does not affect the
     * other messages.
     *
     * @return one result for each message, in order
     */
    List<InsertResult> insert(List<NewMessage> batch);

    /** Finds a message with its status. */
    Optional<StoredMessage> find(String id);

    /**
     * Finds the messages that exist, in no particular order and in parts: all messages together may be too large for memory.
     *
     * @param maxBodies see {@link #page}
     * @param part receives each part, on the thread of the caller
     */
    void find(Collection<String> ids, long maxBodies, Consumer<List<StoredMessage>> part);

    /**
     * Reads the light part of the rows that exist. The gate uses it for its last look at the rows before a delivery.
     */
    List<RowState> states(Collection<String> ids);

    /** The flow log of a message, oldest row first. */
    List<StatusFlow> flow(String id);

    /**
     * The result with which a message finished; empty if it is not FINISH, or finished without one. It is stored with the
     * change to FINISH ({@link Transition#result}), and removed with the row or when the row leaves that status.
     */
    Optional<MessageResult> result(String id);

    /**
     * Applies status changes together. A change is left out if its row does not have the version and the {@code from}
     * status of the change any more. This is a lost race, and an expected result.
     *
     * @return the ids of the changes that were left out
     */
    default Set<String> move(List<Transition> transitions) {
        return move(transitions, Map.of()).leftOut();
    }

    /**
     * Applies status changes together, and inserts further messages with them.
     *
     * @param further new messages, each by the id of the change without which it is not inserted. A message whose id
     *     exists already is left out
     */
    MoveResult move(List<Transition> transitions, Map<String, NewMessage> further);

    /**
     * Gives an existing message new content (every field but the id and the topic) together with a status change.
     *
     * @param message the next version after the version of the transition
     * @return false if the row has another topic, or not the version and the {@code from} status of the transition; then
     *     nothing was changed
     */
    boolean rewrite(DelayMessage message, Transition transition);

    /**
     * Reads a page of messages in one status, in the order of due time and id. The page ends before its bodies
     * together exceed {@code maxBodies}, but it has at least one row. Bodies that do not fit are not read.
     *
     * @param after the last row of the page before, or {@link RowCursor#START}
     * @param dueBeforeMs only rows that are due before this time (epoch milliseconds, exclusive); {@link
     *     Long#MAX_VALUE} = all rows
     * @param limit the largest number of rows
     * @param maxBodies in bytes or characters, as the database counts the length of a text
     */
    MessagePage page(MessageStatus status, RowCursor after, long dueBeforeMs, int limit, long maxBodies);

    /**
     * Reads the light part of the rows of a {@link #page}. The bodies do not bound this page: it has up to {@code
     * limit} rows.
     */
    List<RowState> pageStates(MessageStatus status, RowCursor after, long dueBeforeMs, int limit);

    /**
     * Counts the messages in a status. The database reads all their index entries: about 0.2 s for a million
     * messages.
     */
    default long count(MessageStatus status) {
        return count(status, Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    /**
     * Counts the messages in a status that are due before this time. The database reads one index entry for each, and no
     * more than {@code most}.
     */
    long count(MessageStatus status, long dueBeforeMs, int most);

    /** Like {@link #pageStates}, with the columns that housekeeping needs. */
    List<EndedRow> pageEnded(MessageStatus status, RowCursor after, long dueBeforeMs, int limit);

    /**
     * Removes ended messages and their flow logs for good. A message stays if its row has changed its status, or was
     * changed at or after the limit.
     *
     * @param status the status that the rows must have; an unfinished status is refused
     * @param changedBeforeMs only rows whose last change was before this time (epoch milliseconds)
     * @return the number of removed messages
     */
    int remove(MessageStatus status, long changedBeforeMs, Collection<String> ids);

    /** The settings of topics. */
    TopicStore topics();

    /** The calls of operators. */
    AuditStore audit();

    /** Tokens and namespaces. */
    TokenStore tokens();

    /** Pages of messages for people who look for them. */
    SearchStore search();

    /**
     * Claims the database for a queue, for good. A node calls this method before any other method.
     *
     * @throws io.mykit.delay.config.ConfigException if the database belongs to another queue; its message says how to
     *     correct that
     */
    void claim(QueueIdentity queue);

    /**
     * Takes the next epoch of a standalone leader.
     *
     * @param name the name of the queue
     * @param atLeast the lower bound of the result
     */
    long nextEpoch(String name, long atLeast);

    /** The number of transactions that can write at the same time; 1 = they come one after the other. */
    int writers();

    @Override
    void close();
}
