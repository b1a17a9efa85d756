package io.mykit.delay.queue.producer;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.delivery.MessageRoute;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The face of the queue for whoever pushes messages and asks for them. Each way into the server (HTTP, a program around the queue) fills
 * a {@link NewPush}, has {@link #rules} check it, and pushes the result. Thread-safe. An error is a {@link DelayException} with the
 * word of the API; each method names those that it may give.
 *
 * <p>{@link #push}, {@link #channel}, {@link #route}, {@link #requirePlace}, {@link #ended} and {@link #refused} return at once. The other methods ask the
 * stores and block.
 */
public interface Producers {
    /** What makes a push valid. It refuses with INVALID_REQUEST, TOO_LARGE or TARGET_FORBIDDEN. */
    PushRules rules();

    /**
     * Accepts one message, and counts the answer. Many pushes share a transaction, so a batch is a push for each of its messages. The future
     * completes when the message is committed in the store, on a thread that must not be blocked. It fails with a {@link DelayException}:
     * ID_CONFLICT, ALREADY_FINISHED, ALREADY_DISPATCHED (the replacement came too late), BUSY (also while this node stops), STORE_UNAVAILABLE,
     * INDEX_UNAVAILABLE; OUTCOME_UNKNOWN: the message may have been stored, and the same push again is safe; INTERNAL: a defect; or with
     * an {@link Error}.
     *
     * @param via the way of the message into the server, for the metrics
     */
    CompletableFuture<PushResult> push(CheckedPush push, Via via);

    /** Counts a push that was refused before {@link #push} saw it: its form is wrong, it is too large, or the server is busy. */
    void refused(ErrorCode why);

    /**
     * Cancels a message, due or not, as long as no delivery of it can be under way: no batch of the leader has it, and no consumer.
     *
     * @param caller continues a sentence in the flow log, such as {@code producer from 10.0.0.7}
     * @return {@link CancelResult#refusal} has the error if the message is not cancelled
     * @throws DelayException STORE_UNAVAILABLE or INDEX_UNAVAILABLE: the message stays as it was. OUTCOME_UNKNOWN: the same call again
     *     gives the answer
     */
    CancelResult cancel(String id, String caller);

    /**
     * Moves the due time of an unfinished message. A time in the past means now.
     *
     * @param dueTimeMs epoch milliseconds
     * @return the new due time, epoch milliseconds; empty if no message has this id, see {@link DelayException#unknown}
     * @throws DelayException ALREADY_DISPATCHED, ALREADY_FINISHED, STORE_UNAVAILABLE or INDEX_UNAVAILABLE: nothing was changed.
     *     OUTCOME_UNKNOWN: the change may have been made; the same call again gives the answer
     */
    Optional<Long> reschedule(String id, long dueTimeMs);

    /**
     * Finds a message, whatever its status.
     *
     * @return empty if no message has this id, see {@link DelayException#unknown}
     * @throws DelayException STORE_UNAVAILABLE
     */
    Optional<MessageView> find(String id);

    /** The name of the channel of a topic, by the configuration of this node. */
    String channel(String topic);

    /** Where a message goes, by the configuration of this node. */
    MessageRoute route(DelayMessage message);

    /**
     * Checks that a request may wait now. A push that waits for the end of its message calls it before the push.
     *
     * @throws DelayException BUSY if too many requests wait
     */
    void requirePlace();

    /**
     * Waits for the end of a message: FINISH, FAILED, EXPIRED or DELETE. {@link #find} tells then which one it was.
     *
     * @return completes when the message has ended or its row is gone, when {@code longest} is over, or when this node stops. It
     *     never fails. A caller that waits no longer completes it
     * @throws DelayException BUSY if too many requests wait
     */
    CompletableFuture<Void> ended(String id, Duration longest);

    /** Ends all waits, because this node stops. Later calls do not wait. */
    void stopWaits();
}
