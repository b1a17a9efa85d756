package io.mykit.delay.queue.schedule;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.metric.Family;

/** Metrics of the index: its state, and the number of messages that it refused. Thread-safe. */
public final class ScheduleMeters {
    private final Counter refused;

    public ScheduleMeters(MessageIndex index, MeterRegistry meters) {
        refused = Family.INDEX_REFUSED.counter(meters);
        Family.INDEX_UP.gauge(meters, index, asked -> asked.check().up() ? 1 : 0);
        Family.INDEX_EVICTING.gauge(
                meters, index, asked -> asked.check().details().containsKey(MessageIndex.EVICTING) ? 1 : 0);
    }

    void refused(int messages) {
        refused.increment(messages);
    }
}
