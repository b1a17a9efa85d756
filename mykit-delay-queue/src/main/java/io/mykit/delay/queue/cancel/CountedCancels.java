package io.mykit.delay.queue.cancel;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.metric.Family;

/** Counts the cancels whose messages are cancelled; a repeated cancel counts again. Thread-safe. */
public final class CountedCancels {
    private final MessageCanceller canceller;
    private final Counter cancelled;

    public CountedCancels(MessageCanceller canceller, MeterRegistry meters) {
        this.canceller = canceller;
        this.cancelled = Family.MESSAGES_CANCELLED.counter(meters);
    }

    /** See {@link MessageCanceller#cancel}. */
    public CancelResult cancel(String id) {
        CancelResult result = canceller.cancel(id);
        if (result.isCancelled()) {
            cancelled.increment();
        }
        return result;
    }
}
