package io.mykit.delay.client.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.System.Logger.Level;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.Header;

/**
 * Sends delayed records to the topic that the server of mykit-delay reads ({@code ingest.kafka.topic}), with their own topic in a header. The
 * server delivers them to their own topic when they are due. Thread-safe.
 *
 * <pre>{@code
 * properties.put(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, DelayInterceptor.class.getName());
 * }</pre>
 *
 * <p>A record is delayed if it has the header {@code mykit-delay} (milliseconds) or {@code mykit-due} (epoch milliseconds), see {@link
 * Delayed}. All other records stay as they are.
 *
 * <p>A producer drops what an interceptor throws, and sends the record as it was, which is early. So this one throws nothing and judges
 * nothing: a record with any header of the name {@code mykit-*} goes to the server, which refuses what it cannot read or keep, with a reason:
 * a delay that is no number, a chosen partition, a record without a value.
 */
public final class DelayInterceptor<K, V> implements ProducerInterceptor<K, V> {
    /** The property of the producer with the topic that the server reads. */
    public static final String TOPIC_CONFIG = "mykit.delay.push.topic";

    /** The topic that the server reads if it is not told otherwise. */
    public static final String DEFAULT_TOPIC = "mykit-delay-push";

    /** The property of the producer with a {@link DelayedRecordListener}, an object. */
    public static final String LISTENER_CONFIG = "mykit.delay.listener";

    private volatile String pushTopic = DEFAULT_TOPIC;
    private volatile DelayedRecordListener listener = topic -> {};

    /** Called by Kafka. */
    public DelayInterceptor() {
        // The settings come by configure.
    }

    /** @throws ConfigException if a setting is of no use; the producer is not made then */
    @Override
    public void configure(Map<String, ?> settings) {
        Object topic = settings.get(TOPIC_CONFIG);
        if (topic != null) {
            if (topic.toString().isBlank()) {
                throw new ConfigException(TOPIC_CONFIG, topic, "it must be the topic that the server reads");
            }
            pushTopic = topic.toString().strip();
        }
        Object given = settings.get(LISTENER_CONFIG);
        if (given instanceof DelayedRecordListener told) {
            listener = told;
        } else if (given != null) {
            throw new ConfigException(LISTENER_CONFIG, given, "it must be a DelayedRecordListener");
        }
    }

    @Override
    public ProducerRecord<K, V> onSend(ProducerRecord<K, V> record) {
        if (record.topic().equals(pushTopic) || !isDelayed(record)) {
            return record;
        }
        ProducerRecord<K, V> moved = moved(record);
        tell(record.topic());
        return moved;
    }

    private static boolean isDelayed(ProducerRecord<?, ?> record) {
        for (Header header : record.headers()) {
            if (DelayHeaders.isMark(header.key())) {
                return true;
            }
        }
        return false;
    }

    /** Without the timestamp of the record, which may be that of an event long ago: a delay counts from the send. */
    private ProducerRecord<K, V> moved(ProducerRecord<K, V> record) {
        ProducerRecord<K, V> moved = new ProducerRecord<>(pushTopic, null, null, record.key(), record.value());
        for (Header header : record.headers()) {
            String name = header.key();
            // The server knows the names in lower case, and would take another one for a header of the application.
            moved.headers().add(DelayHeaders.isMark(name) ? DelayHeaders.lower(name) : name, header.value());
        }
        moved.headers().add(DelayHeaders.TOPIC, record.topic().getBytes(UTF_8));
        if (record.partition() != null) {
            moved.headers()
                    .add(DelayHeaders.PARTITION, record.partition().toString().getBytes(UTF_8));
        }
        return moved;
    }

    private void tell(String topic) {
        try {
            listener.delayed(topic);
        } catch (RuntimeException e) {
            // Thrown on, it would send the record at once.
            System.getLogger("io.mykit.delay.client")
                    .log(Level.WARNING, "A DelayedRecordListener failed for a record of " + topic, e);
        }
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
        // The sender is told by its callback.
    }

    @Override
    public void close() {
        // It has nothing.
    }
}
