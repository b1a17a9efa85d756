package io.mykit.delay.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The unfinished messages of one topic that have one business key. Thread-safe.
 *
 * <pre>{@code
 * for (KeyedResult<CancelResult> timer : client.ofKey("orders", "4711").cancel()) {
 *     System.out.println(timer.id() + " " + timer.orThrow());
 * }
 * }</pre>
 *
 * <p>A cancel or a reschedule works on at most 1000 messages. If there are more, or if the server cannot find all of them, it does nothing
 * and fails with a {@link DelayRequestException} that has the error TOO_MANY. Each message has its own result: after a failure in
 * between, the results tell which messages are done. The same call again works on the rest. If the answer to a try was lost, the next one
 * names only the messages that the first one did not end.
 */
public final class KeyedMessages {
    private final AsyncKeyedMessages async;

    KeyedMessages(AsyncKeyedMessages async) {
        this.async = async;
    }

    /**
     * The messages, in the order of their due times. Messages that come, go or move meanwhile may be missing. Without an optional index of
     * the database this takes a request for every 20,000 unfinished messages of the whole queue.
     */
    public List<MessageSummary> list() {
        return Await.result(async.list());
    }

    /** Cancels each message; see {@link DelayClient#cancel}. The results are in the order of the due times. */
    public List<KeyedResult<CancelResult>> cancel() {
        return Await.result(async.cancel());
    }

    /**
     * Moves all messages to one due time; see {@link DelayClient#reschedule(String, Duration)}. The results are in the order of the due
     * times before.
     */
    public List<KeyedResult<RescheduleResult>> reschedule(Duration delay) {
        return Await.result(async.reschedule(delay));
    }

    /** The same, to this time. A time in the past means now. */
    public List<KeyedResult<RescheduleResult>> reschedule(Instant dueTime) {
        return Await.result(async.reschedule(dueTime));
    }
}
