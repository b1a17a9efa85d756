package io.mykit.delay.queue.pull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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
        handedOut = Counter.builder("mykit.delay.pull.handed.out")
                .description("Messages that consumers got")
                .register(meters);
        for (Verb verb : Verb.values()) {
            settled.put(
                    verb,
                    Counter.builder("mykit.delay.pull.settled")
                            .description("Messages that consumers settled")
                            .tag("verb", verb.name().toLowerCase(Locale.ROOT))
                            .register(meters));
        }
        batches = Timer.builder("mykit.delay.pull.batch")
                .description("One group commit of settled messages: store and index together")
                .register(meters);
    }

    /** @param size reads the number of consumers that wait */
    void waiting(Supplier<Number> size) {
        Gauge.builder("mykit.delay.pull.waiting", size)
                .description("Consumers that wait on this node")
                .register(registry);
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
