package io.mykit.delay.client.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Marks records that are to arrive later. The producer needs the {@link DelayInterceptor}: without it such a record arrives at once.
 * Stateless.
 *
 * <pre>{@code
 * producer.send(Delayed.delay(new ProducerRecord<>("orders", "customer-7", "order 4711"), Duration.ofMinutes(30)));
 * }</pre>
 */
public final class Delayed {
    private Delayed() {}

    /**
     * The record is due so long after its send.
     *
     * @return the same record
     * @throws IllegalArgumentException if the delay is negative
     */
    public static <K, V> ProducerRecord<K, V> delay(ProducerRecord<K, V> record, Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay is negative: " + delay);
        }
        return marked(record, DelayHeaders.DELAY, delay.toMillis());
    }

    /**
     * The record is due at this time. One in the past means now.
     *
     * @return the same record
     */
    public static <K, V> ProducerRecord<K, V> at(ProducerRecord<K, V> record, Instant dueTime) {
        return marked(record, DelayHeaders.DUE, dueTime.toEpochMilli());
    }

    /**
     * Gives the message an id of your own, by which a {@code DelayClient} finds and cancels it.
     *
     * @return the same record
     */
    public static <K, V> ProducerRecord<K, V> id(ProducerRecord<K, V> record, String id) {
        record.headers().remove(DelayHeaders.ID).add(DelayHeaders.ID, id.getBytes(UTF_8));
        return record;
    }

    private static <K, V> ProducerRecord<K, V> marked(ProducerRecord<K, V> record, String name, long value) {
        record.headers()
                .remove(DelayHeaders.DELAY)
                .remove(DelayHeaders.DUE)
                .add(name, Long.toString(value).getBytes(UTF_8));
        return record;
    }
}
