package io.mykit.delay.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.MinuteLines;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.common.text.OneLine;
import io.mykit.delay.json.JsonSyntaxException;
import io.mykit.delay.kafka.ClientFaults;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets records aside that are no valid push: on a topic of their own with the reason, or, if there is none, in the log. The first record makes
 * the producer. Calls of the client library may wait for a broker, so they have a thread of their own. Thread-safe.
 */
final class Rejected implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rejected.class);

    private static final String ERROR = "mykit-error";
    private static final String REASON = "mykit-reason";
    private static final String ORIGIN_TOPIC = "mykit-origin-topic";
    private static final String ORIGIN_PARTITION = "mykit-origin-partition";
    private static final String ORIGIN_OFFSET = "mykit-origin-offset";
    /** The headers that a rejected record has more. They have no meaning in a push, so a record may be put back as it is. */
    static final Set<String> HEADERS = Set.of(ERROR, REASON, ORIGIN_TOPIC, ORIGIN_PARTITION, ORIGIN_OFFSET);

    private static final int MAX_REASON = 1000;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Optional<String> topic;
    private final IngestProperties properties;
    private final IngestMeters meters;
    private final MinuteLines lines = new MinuteLines(System::nanoTime);
    private final Executor sender = Threads.single("ingest-kafka-rejected");
    /** Guarded by this; null = none. */
    private Producer<byte[], byte[]> producer;
    /** Guarded by this. */
    private boolean closed;

    /** @param topic empty = the log alone */
    Rejected(Optional<String> topic, IngestProperties properties, IngestMeters meters) {
        this.topic = topic;
        this.properties = properties;
        this.meters = meters;
    }

    /**
     * Sets a record aside. Returns at once.
     *
     * @return completes when all in-sync replicas have it; fails with an {@link IllegalStateException} with the reason for a person
     */
    CompletableFuture<Void> add(ConsumerRecord<byte[], byte[]> record, DelayException why) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        if (topic.isPresent()) {
            sender.execute(() -> send(rejected(topic.get(), record, why, record.value()), record, why, written));
        } else {
            written.complete(null);
        }
        return written.thenRun(() -> {
            meters.setAside(why.code());
            log(record, why);
        });
    }

    private void log(ConsumerRecord<byte[], byte[]> record, DelayException why) {
        int count = lines.count(why.code().name());
        if (count > 0) {
            LOG.warn(
                    "{} of {} record(s) of Kafka since the last line: {}. The last one, partition {}, offset {} of {}:"
                            + " {}",
                    why.code(),
                    count,
                    topic.map(name -> "set aside on " + name).orElse("passed over, because there is no rejected-topic"),
                    record.partition(),
                    record.offset(),
                    record.topic(),
                    shown(why));
        }
    }

    /** The text of a syntax error may have a part of the body. */
    private static String shown(DelayException why) {
        return why instanceof JsonSyntaxException ? "malformed JSON" : OneLine.of(why.getMessage(), MAX_REASON);
    }

    private void send(
            ProducerRecord<byte[], byte[]> rejected,
            ConsumerRecord<byte[], byte[]> origin,
            DelayException why,
            CompletableFuture<Void> written) {
        try {
            Producer<byte[], byte[]> current = producer();
            var unused = current.send(rejected, (stored, failure) -> ended(rejected, origin, why, written, failure));
        } catch (RuntimeException | Error e) {
            ended(rejected, origin, why, written, e);
        }
    }

    private void ended(
            ProducerRecord<byte[], byte[]> rejected,
            ConsumerRecord<byte[], byte[]> origin,
            DelayException why,
            CompletableFuture<Void> written,
            Throwable failure) {
        if (failure == null) {
            written.complete(null);
        } else if (failure instanceof RecordTooLargeException && rejected.value() != null) {
            // The topic takes smaller records than the one of the pushes. The value is still there, by its offset.
            sender.execute(() -> send(rejected(rejected.topic(), origin, why, null), origin, why, written));
        } else {
            forget();
            written.completeExceptionally(new IllegalStateException(
                    "a bad record cannot be written to " + rejected.topic() + ": "
                            + ClientFaults.reason(
                                    failure, properties.connection().section()),
                    failure));
        }
    }

    static ProducerRecord<byte[], byte[]> rejected(
            String topic, ConsumerRecord<byte[], byte[]> record, DelayException why, byte[] value) {
        Long timestamp = record.timestamp() < 0 ? null : record.timestamp();
        ProducerRecord<byte[], byte[]> rejected =
                new ProducerRecord<>(topic, null, timestamp, record.key(), value, record.headers());
        Headers headers = rejected.headers();
        // A record that was put back and rejected again tells of the last time.
        HEADERS.forEach(headers::remove);
        String message = why.getMessage();
        List.of(
                        List.of(ERROR, why.code().name()),
                        List.of(REASON, message.substring(0, Math.min(message.length(), MAX_REASON))),
                        List.of(ORIGIN_TOPIC, record.topic()),
                        List.of(ORIGIN_PARTITION, Integer.toString(record.partition())),
                        List.of(ORIGIN_OFFSET, Long.toString(record.offset())))
                .forEach(header -> headers.add(header.get(0), header.get(1).getBytes(UTF_8)));
        return rejected;
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (closed) {
            throw new KafkaException("the ingest is closed");
        }
        if (producer == null) {
            producer = new KafkaProducer<>(properties.producer());
        }
        return producer;
    }

    /** After an error the next record has a new producer: some errors are for good. */
    private synchronized void forget() {
        if (producer != null) {
            // Its own thread may be this one.
            Producer<byte[], byte[]> old = producer;
            Threads.daemon("ingest-kafka-close", () -> old.close(Duration.ZERO)).start();
            producer = null;
        }
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> last;
        synchronized (this) {
            closed = true;
            last = producer;
            producer = null;
        }
        if (last != null) {
            last.close(CLOSE_TIMEOUT);
        }
    }
}
