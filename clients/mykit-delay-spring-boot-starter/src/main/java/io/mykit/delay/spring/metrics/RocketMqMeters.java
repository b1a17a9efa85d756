package io.mykit.delay.spring.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.client.rocketmq.SendCounts;
import java.util.function.ToDoubleFunction;

/** The metric {@code mykit.delay.rocketmq.sends}, by outcome. */
public record RocketMqMeters(SendCounts counts) {
    /** Registers the metric. */
    public void register(MeterRegistry registry) {
        counter(registry, "accepted", SendCounts::accepted);
        counter(registry, "refused", SendCounts::refused);
        counter(registry, "unanswered", SendCounts::unanswered);
        FunctionCounter.builder("mykit.delay.rocketmq.lost.oneway", counts, SendCounts::lostOneway)
                .description("Delayed messages of RocketMQ that were sent oneway and not accepted")
                .register(registry);
    }

    private void counter(MeterRegistry registry, String outcome, ToDoubleFunction<SendCounts> count) {
        FunctionCounter.builder("mykit.delay.rocketmq.sends", counts, count)
                .description("Delayed messages of RocketMQ that were sent through mykit-delay")
                .tag("outcome", outcome)
                .register(registry);
    }
}
