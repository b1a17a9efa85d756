package io.mykit.delay.spring.call;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.RescheduleResult;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Carries out the calls of a template: at once, or after the commit of a transaction. Thread-safe. */
public interface TemplateCalls {
    /** Pushes a message. */
    void push(Draft draft);

    /** Cancels a message. The stage has the result as soon as it is known. */
    CompletionStage<CancelResult> cancel(String id);

    /** Moves a message. The stage has the result as soon as it is known. */
    CompletionStage<RescheduleResult> reschedule(String id, DueTime dueTime);

    /** The same for the messages of a business key. */
    CompletionStage<List<KeyedResult<CancelResult>>> cancel(Key key);

    /** The same for the messages of a business key. */
    CompletionStage<List<KeyedResult<RescheduleResult>>> reschedule(Key key, DueTime dueTime);
}
