package io.mykit.delay.spring.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.client.jms.DelayedSendListener;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The metric {@code mykit.delay.jms.sends}, by outcome. Thread-safe. */
public final class JmsMeters implements DelayedSendListener {
    private final Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);

    public JmsMeters(MeterRegistry registry) {
        for (Outcome outcome : Outcome.values()) {
            counters.put(
                    outcome,
                    Counter.builder("mykit.delay.jms.sends")
                            .description("Delayed messages of JMS that were sent through mykit-delay")
                            .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    @Override
    public void delayed(String destination, Outcome outcome) {
        counters.get(outcome).increment();
    }
}
