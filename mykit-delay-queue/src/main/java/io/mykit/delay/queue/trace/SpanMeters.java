package io.mykit.delay.queue.trace;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.metric.Family;

/** Counts spans by what became of them. They exist also while no spans are made. Thread-safe. */
public final class SpanMeters {
    private final Counter exported;
    private final Counter dropped;
    private final Counter failed;

    public SpanMeters(MeterRegistry meters) {
        exported = Family.TRACE_SPANS.counter(meters, "exported");
        dropped = Family.TRACE_SPANS.counter(meters, "dropped");
        failed = Family.TRACE_SPANS.counter(meters, "failed");
    }

    /** The endpoint has taken these spans. */
    public void exported(int spans) {
        exported.increment(spans);
    }

    /** The queue had no room for a span. */
    public void dropped() {
        dropped.increment();
    }

    /** The endpoint did not take these spans. */
    public void failed(int spans) {
        failed.increment(spans);
    }
}
