package io.mykit.delay.queue.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.common.message.DeadReason;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** The metrics of deliveries. Messages that consumers pull are counted in {@code retried}, {@code dead} and {@code expired}, too. Thread-safe. */
public final class DispatchMeters {
    private final Timer lateness;
    private final Timer overdue;
    private final Timer outcomes;
    private final Counter retried;
    private final Map<DeadReason, Counter> dead = new EnumMap<>(DeadReason.class);
    private final Counter expired;
    private final Counter unavailable;
    private final BackingOff backingOff = new BackingOff();
    private final AtomicReference<LongSupplier> limitedTopics = new AtomicReference<>(() -> 0);

    public DispatchMeters(MeterRegistry meters) {
        lateness = Timer.builder("mykit.delay.lateness")
                .description(
                        "Time from the due time to the broker's confirmation, for messages that did not come overdue")
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
        overdue = Timer.builder("mykit.delay.lateness.overdue")
                .description(
                        "The same time for messages that were already due when they were pushed, restored or put off")
                .register(meters);
        outcomes = Timer.builder("mykit.delay.outcomes.batch")
                .description("Duration of one transaction of outcomes: store and index together")
                .register(meters);
        retried = counter(meters, "mykit.delay.delivery.retried", "Messages that wait alone for another attempt");
        for (DeadReason reason : DeadReason.values()) {
            dead.put(
                    reason,
                    Counter.builder("mykit.delay.delivery.dead")
                            .description("Messages that became dead letters")
                            .tag("reason", reason.name())
                            .register(meters));
        }
        expired = counter(meters, "mykit.delay.delivery.expired", "Messages whose ttl ended before delivery");
        unavailable = counter(
                meters, "mykit.delay.delivery.unavailable", "Batches given back because the topic could not be used");
        Gauge.builder("mykit.delay.delivery.limited", () -> limitedTopics.get().getAsLong())
                .description("Topics whose due messages wait for the rate or the concurrency of their topic")
                .register(meters);
    }

    /**
     * Records that a message was delivered.
     *
     * @param cameOverdue whether the message was already due when it came. Its lateness then says nothing about this bridge:
     *     a single message from last year would spoil the sum and the maximum of all others
     */
    void delivered(long lateMs, boolean cameOverdue) {
        (cameOverdue ? overdue : lateness).record(Math.max(0, lateMs), TimeUnit.MILLISECONDS);
    }

    /** The topics that cannot be delivered now. */
    public BackingOff backingOff() {
        return backingOff;
    }

    /** @param count the number of topics whose messages wait for the limits of their topic, in the term that begins */
    void limitedTopics(LongSupplier count) {
        limitedTopics.set(count);
    }

    void recorded(long nanos) {
        outcomes.record(nanos, TimeUnit.NANOSECONDS);
    }

    public void retried() {
        retried.increment();
    }

    public void dead(DeadReason reason) {
        dead.get(reason).increment();
    }

    public void expired() {
        expired.increment();
    }

    void unavailable() {
        unavailable.increment();
    }

    private static Counter counter(MeterRegistry meters, String name, String description) {
        return Counter.builder(name).description(description).register(meters);
    }
}
