package io.mykit.delay.queue.cancel;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.producer.CancelResult;

/** Counts the cancels whose messages are cancelled; a repeated cancel counts again. Thread-safe. */
public final class CountedCancels {
    private final MessageCanceller canceller;
    private final Counter cancelled;

    public CountedCancels(MessageCanceller canceller, MeterRegistry meters) {
        this.canceller = canceller;
        this.cancelled = Family.MESSAGES_CANCELLED.counter(meters);
    }

    /** See {@link MessageCanceller#cancel} and {@link MessageCanceller#by}. */
    public CancelResult cancel(String id, String caller) {
        CancelResult result = canceller.by(caller).cancel(id);
        if (result.isCancelled()) {
            cancelled.increment();
        }
        return result;
    }
}
