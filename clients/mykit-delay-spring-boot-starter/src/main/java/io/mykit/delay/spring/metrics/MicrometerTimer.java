package io.mykit.delay.spring.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.spring.Mode;
import io.mykit.delay.spring.listener.ListenerTimer;
import java.time.Duration;
import java.util.Locale;

/** The timer {@code mykit.delay.listener} with the tags topic, mode and outcome. */
public record MicrometerTimer(MeterRegistry registry) implements ListenerTimer {
    @Override
    public void record(String topic, Mode mode, String outcome, Duration took) {
        Timer.builder("mykit.delay.listener")
                .description("How long the listeners of delayed messages took")
                .tag("topic", topic)
                .tag("mode", mode.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome)
                .register(registry)
                .record(took);
    }
}
