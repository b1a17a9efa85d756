package io.mykit.delay.queue.pull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.metric.Family;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The metrics of pulling on this node. Thread-safe. */
public final class PullMeters {
    private final Counter handedOut;
    private final Map<Verb, Counter> settled = new EnumMap<>(Verb.class);
    private final Timer batches;
    private final MeterRegistry registry;

    public PullMeters(MeterRegistry meters) {
        this.registry = meters;
        handedOut = Family.PULL_HANDED_OUT.counter(meters);
        for (Verb verb : Verb.values()) {
            settled.put(verb, Family.PULL_SETTLED.counter(meters, verb.name().toLowerCase(Locale.ROOT)));
        }
        batches = Family.PULL_COMMIT_DURATION.timer(meters);
    }

    /** @param size reads the number of consumers that wait */
    void waiting(Supplier<Number> size) {
        Family.PULL_WAITING.gauge(registry, size, now -> now.get().doubleValue());
    }

    void handedOut(int messages) {
        handedOut.increment(messages);
    }

    void settled(Verb verb) {
        settled.get(verb).increment();
    }

    Timer batches() {
        return batches;
    }
}
