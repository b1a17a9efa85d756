package io.mykit.delay.spring;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.KeyedMessages;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.spring.call.Draft;
import io.mykit.delay.spring.call.DueTime;
import io.mykit.delay.spring.call.Key;
import io.mykit.delay.spring.call.TemplateCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Sends messages that arrive later, cancels and moves them. Thread-safe.
 *
 * <pre>{@code
 * String id = template.send("orders", order, Duration.ofMinutes(30));
 * template.send("orders", order, Duration.ofMinutes(30), message -> message.ttl(Duration.ofHours(1)).bizKey("4711"));
 * }</pre>
 *
 * <p>Without a transaction a call is carried out when it returns. Inside an active transaction all calls are carried out after
 * the commit, and not at all after a rollback; those after a savepoint not after a rollback to it. Calls on one id keep their
 * order: a cancel takes back a send of the same transaction, a reschedule changes it.
 *
 * <p>With {@code mykit.delay.client.outbox.enabled} each call is a row of the application's database, in the transaction, or without one
 * in a transaction of its own. A relay makes the call later, and a bean of {@code OutboxListener} is told the result; the returned stage
 * fails with an {@code UnsupportedOperationException}.
 *
 * <p>Without it, if the process ends between the commit and the calls, or if no server can be reached then, the calls are lost although the
 * transaction is committed; in the second case the commit throws, and the log has a line for each call. Call a {@code
 * DelayClient} instead where a call without its transaction does less harm.
 */
public class DelayTemplate {
    private final PayloadFormat format;
    private final TemplateCalls calls;

    /** @param calls carries out the calls, at once or later */
    public DelayTemplate(PayloadFormat format, TemplateCalls calls) {
        this.format = format;
        this.calls = calls;
    }

    /** See {@link #send(String, Object, Duration, Consumer)}. */
    public String send(String topic, Object payload, Duration delay) {
        return send(topic, payload, delay, message -> {});
    }

    /** See {@link #send(String, Object, Instant, Consumer)}. */
    public String send(String topic, Object payload, Instant dueTime) {
        return send(topic, payload, dueTime, message -> {});
    }

    /**
     * @param payload a String or byte[] goes as it is, any other object as JSON
     * @param delay counts from the push; inside a transaction from the commit
     * @param options all other fields of the message
     * @return the id of the message, to find it or to cancel it
     */
    public String send(String topic, Object payload, Duration delay, Consumer<Message.Builder> options) {
        return send(Message.builder(topic).delay(delay), payload, options);
    }

    /** The same, due at this time. */
    public String send(String topic, Object payload, Instant dueTime, Consumer<Message.Builder> options) {
        return send(Message.builder(topic).at(dueTime), payload, options);
    }

    private String send(Message.Builder builder, Object payload, Consumer<Message.Builder> options) {
        Objects.requireNonNull(payload, "payload");
        if (payload instanceof String text) {
            builder.body(text);
        } else if (payload instanceof byte[] bytes) {
            builder.body(bytes);
        } else {
            builder.body(format.write(payload));
        }
        Draft draft = Draft.of(builder, options);
        calls.push(draft);
        return draft.message().id();
    }

    /**
     * Cancels a message. A send of the same transaction is taken back: its message is never sent, and an earlier message of the
     * same id is cancelled.
     *
     * @return has the result without a transaction at once. Inside a transaction it has the result after the commit, by the thread
     *     of the transaction, so no work of the transaction may wait for it. It fails with a {@code DelayClientException} if the
     *     call fails, and with a {@code CancellationException} if the transaction is rolled back, or its outcome is not known
     */
    public CompletionStage<CancelResult> cancel(String id) {
        return calls.cancel(id);
    }

    /**
     * Moves the due time of a message. A send of the same transaction gets the new due time before it is sent.
     *
     * @param delay counts from the call; inside a transaction from the commit
     * @return see {@link #cancel}
     */
    public CompletionStage<RescheduleResult> reschedule(String id, Duration delay) {
        return calls.reschedule(id, DueTime.after(delay));
    }

    /** The same, to this time. A time in the past means now. */
    public CompletionStage<RescheduleResult> reschedule(String id, Instant dueTime) {
        return calls.reschedule(id, DueTime.at(dueTime));
    }

    /**
     * Cancels all unfinished messages of a topic that have this business key, see {@link KeyedMessages}. Sends of the same
     * transaction are taken back; those whose id was generated have no result here, because the server never knew them.
     *
     * @return see {@link #cancel}. If the call fails for one message, its result has the failure, and the commit throws it too
     */
    public CompletionStage<List<KeyedResult<CancelResult>>> cancelOfKey(String topic, String bizKey) {
        return calls.cancel(new Key(topic, bizKey));
    }

    /**
     * Moves all unfinished messages of a topic that have this business key, see {@link KeyedMessages}. Sends of the same
     * transaction get the new due time before they are sent, and have no result here.
     *
     * @param delay counts from the call; inside a transaction from the commit
     * @return see {@link #cancelOfKey}
     */
    public CompletionStage<List<KeyedResult<RescheduleResult>>> rescheduleOfKey(
            String topic, String bizKey, Duration delay) {
        return calls.reschedule(new Key(topic, bizKey), DueTime.after(delay));
    }

    /** The same, to this time. A time in the past means now. */
    public CompletionStage<List<KeyedResult<RescheduleResult>>> rescheduleOfKey(
            String topic, String bizKey, Instant dueTime) {
        return calls.reschedule(new Key(topic, bizKey), DueTime.at(dueTime));
    }
}
