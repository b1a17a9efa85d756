package io.mykit.delay.spring.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.client.kafka.DelayedRecordListener;

/** The metric {@code mykit.delay.kafka.sends}. Thread-safe. */
public final class KafkaMeters implements DelayedRecordListener {
    private final Counter sends;

    public KafkaMeters(MeterRegistry registry) {
        sends = Counter.builder("mykit.delay.kafka.sends")
                .description("Delayed records of Kafka that were sent to the topic of mykit-delay")
                .register(registry);
    }

    @Override
    public void delayed(String topic) {
        sends.increment();
    }
}
