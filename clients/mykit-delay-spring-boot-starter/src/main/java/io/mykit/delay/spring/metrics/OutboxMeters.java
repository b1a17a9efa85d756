package io.mykit.delay.spring.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.mykit.delay.outbox.OutboxState;
import io.mykit.delay.spring.outbox.OutboxProbe;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The metrics {@code mykit.delay.outbox.*}. A gauge is not a number while the table cannot be read. */
public record OutboxMeters(OutboxProbe probe) {
    /** Registers the metrics. */
    public void register(MeterRegistry registry) {
        Gauge.builder("mykit.delay.outbox.rows", () -> read(OutboxState::rows))
                .description("Calls in the outbox that are still to be made")
                .register(registry);
        Gauge.builder("mykit.delay.outbox.set.aside", () -> read(OutboxState::setAside))
                .description("Calls in the outbox that the server refused")
                .register(registry);
        TimeGauge.builder(
                        "mykit.delay.outbox.oldest.age",
                        () -> read(state -> state.oldestAge().toMillis()),
                        TimeUnit.MILLISECONDS)
                .description("Age of the oldest call in the outbox that is still to be made")
                .register(registry);
        FunctionCounter.builder("mykit.delay.outbox.relayed", probe, each -> each.relay()
                        .relayed())
                .description("Calls of the outbox that this instance has made")
                .register(registry);
    }

    private double read(ToDoubleFunction<OutboxState> value) {
        return probe.state().map(value::applyAsDouble).orElse(Double.NaN);
    }
}
