package io.mykit.delay.queue.schedule;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.bucket.MessageIndex;

/** Metrics of the index: its state, and the number of messages that it refused. Thread-safe. */
public final class ScheduleMeters {
    private final Counter refused;

    public ScheduleMeters(MessageIndex index, MeterRegistry meters) {
        refused = Counter.builder("mykit.delay.index.refused")
                .description("Messages that were stored and that Redis did not take: they wait in the database")
                .register(meters);
        Gauge.builder("mykit.delay.index.up", index, asked -> asked.check().up() ? 1 : 0)
                .description("1 = Redis answers and takes writes")
                .register(meters);
        Gauge.builder(
                        "mykit.delay.index.evicting",
                        index,
                        asked -> asked.check().details().containsKey(MessageIndex.EVICTING) ? 1 : 0)
                .description("1 = a Redis server may drop keys: its maxmemory-policy is not noeviction")
                .register(meters);
    }

    void refused(int messages) {
        refused.increment(messages);
    }
}
