package io.mykit.delay.ingest.kafka;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;

/**
 * Whether a broker still answers a consumer. A poll says nothing of it: it waits as quietly for a broker that is away as for records. But a
 * member of a group gets an answer to a heartbeat every three seconds. For the thread of the consumer.
 */
final class BrokerSigns {
    private static final String HEARTBEAT = "last-heartbeat-seconds-ago";
    private static final long LONGEST_SECONDS = 12;

    private final Consumer<?, ?> consumer;
    private final LongSupplier nanoTime;
    private final long sinceNanos;

    /** @param nanoTime as {@link System#nanoTime} */
    BrokerSigns(Consumer<?, ?> consumer, LongSupplier nanoTime) {
        this.consumer = consumer;
        this.nanoTime = nanoTime;
        this.sinceNanos = nanoTime.getAsLong();
    }

    /** Says that no broker has answered for some time; empty = one has, lately. */
    Optional<String> trouble() {
        long own = Duration.ofNanos(nanoTime.getAsLong() - sinceNanos).toSeconds();
        long silent = heartbeatSecondsAgo().filter(seconds -> seconds >= 0).orElse(own);
        return silent <= LONGEST_SECONDS
                ? Optional.empty()
                : Optional.of("no broker has answered for " + silent + " s (the coordinator of the group is away)");
    }

    private Optional<Long> heartbeatSecondsAgo() {
        for (Metric metric : consumer.metrics().values()) {
            if (metric.metricName().name().equals(HEARTBEAT) && metric.metricValue() instanceof Double seconds) {
                return Optional.of(seconds.longValue());
            }
        }
        return Optional.empty();
    }
}
