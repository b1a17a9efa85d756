package io.mykit.delay.queue.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What the dispatcher counts. Thread-safe. */
public final class DispatchMeters {
    private final Timer lateness;
    private final Timer outcomes;
    private final Counter retried;
    private final Counter dead;
    private final Counter expired;
    private final Counter unavailable;

    public DispatchMeters(MeterRegistry meters) {
        lateness = Timer.builder("mykit.delay.lateness")
                .description("From the due time to the broker's confirmation")
                .serviceLevelObjectives(
                        Duration.ofMillis(5),
                        Duration.ofMillis(10),
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(1))
                .register(meters);
        outcomes = Timer.builder("mykit.delay.outcomes.batch")
                .description("One transaction of outcomes: store and index together")
                .register(meters);
        retried = counter(meters, "retried", "Messages that wait for another attempt of their own");
        dead = counter(meters, "dead", "Messages that became dead letters");
        expired = counter(meters, "expired", "Messages whose ttl ran out before delivery");
        unavailable = counter(meters, "unavailable", "Batches given back because the topic could not be used");
    }

    void delivered(long lateMs) {
        lateness.record(Math.max(0, lateMs), TimeUnit.MILLISECONDS);
    }

    void recorded(long nanos) {
        outcomes.record(nanos, TimeUnit.NANOSECONDS);
    }

    void retried() {
        retried.increment();
    }

    void dead() {
        dead.increment();
    }

    void expired() {
        expired.increment();
    }

    void unavailable() {
        unavailable.increment();
    }

    private static Counter counter(MeterRegistry meters, String name, String description) {
        return Counter.builder("mykit.delay.delivery." + name)
                .description(description)
                .register(meters);
    }
}
