package io.mykit.delay.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.Reasons;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.MinuteLines;
import io.mykit.delay.common.text.OneLine;
import io.mykit.delay.json.JsonSyntaxException;
import io.mykit.delay.kafka.ClientFaults;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
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

    /** Of the topic for rejected records, about one record: a further try of the same record would end the same. */
    private static final Set<Class<? extends ApiException>> OF_THE_RECORD = Set.of(
            InvalidRecordException.class,
            InvalidTimestampException.class,
            RecordBatchTooLargeException.class,
            RecordTooLargeException.class);

    private static final int MAX_REASON = 1000;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Optional<String> topic;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Executor sender;
    private final String section;
    private final IngestMeters meters;
    private final MinuteLines lines = new MinuteLines(System::nanoTime);
    /** Guarded by this; null = none. */
    private Producer<byte[], byte[]> producer;
    /** Guarded by this. */
    private boolean closed;

    /**
     * @param topic empty = the log alone
     * @param producers connects to nothing at once
     * @param sender runs what may wait for a broker
     * @param section of the configuration
     */
    Rejected(
            Optional<String> topic,
            Supplier<Producer<byte[], byte[]>> producers,
            Executor sender,
            String section,
            IngestMeters meters) {
        this.topic = topic;
        this.producers = producers;
        this.sender = sender;
        this.section = section;
        this.meters = meters;
    }

    /**
     * Sets a record aside. Returns at once, and throws nothing.
     *
     * @return completes when all in-sync replicas have it, or the topic takes it in no form; fails with an {@link IllegalStateException} with
     *     the reason for a person
     */
    CompletableFuture<Void> add(ConsumerRecord<byte[], byte[]> record, DelayException why) {
        CompletableFuture<String> fate = new CompletableFuture<>();
        topic.ifPresentOrElse(
                name -> later(new Write(name, record, why, Form.WHOLE, fate)),
                () -> fate.complete("passed over, because there is no rejected-topic"));
        return fate.thenAccept(told -> {
            meters.setAside(why.code());
            log(record, why, told);
        });
    }

    private void log(ConsumerRecord<byte[], byte[]> record, DelayException why, String fate) {
        int count = lines.count(why.code() + " " + fate);
        if (count > 0) {
            LOG.warn(
                    "{} of {} record(s) of Kafka since the last line: {}. The last one, partition {}, offset {} of {}:"
                            + " {}",
                    why.code(),
                    count,
                    fate,
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

    private void later(Write write) {
        try {
            sender.execute(() -> send(write));
        } catch (RuntimeException | Error noThread) {
            fail(write, noThread);
        }
    }

    private void send(Write write) {
        try {
            send(producer(), write);
        } catch (RuntimeException | Error e) {
            fail(write, e);
        }
    }

    private void send(Producer<byte[], byte[]> current, Write write) {
        try {
            var unused = current.send(write.rejected(), (stored, failure) -> ended(current, write, failure));
        } catch (RuntimeException | Error e) {
            ended(current, write, e);
        }
    }

    /** Throws nothing: on the thread of the producer, an error would leave its other records without an end. */
    private void ended(Producer<byte[], byte[]> current, Write write, Throwable failure) {
        if (failure == null) {
            write.fate().complete("set aside on " + write.topic());
        } else if (isOfAnotherRecord(failure)) {
            later(write);
        } else if (!OF_THE_RECORD.contains(failure.getClass())) {
            fail(write, failure);
            forget(current);
        } else if (write.form() == Form.PLACE) {
            write.fate()
                    .complete("passed over, because " + write.topic() + " takes it in no form: " + Reasons.of(failure));
        } else {
            later(write.smaller());
        }
    }

    private void fail(Write write, Throwable failure) {
        write.fate()
                .completeExceptionally(new IllegalStateException(
                        "a bad record cannot be written to " + write.topic() + ": "
                                + ClientFaults.reason(failure, section),
                        failure));
    }

    /** Whether Kafka took none of a batch because of another record in it. The client library has no type for it. */
    private static boolean isOfAnotherRecord(Throwable failure) {
        return failure.getClass() == KafkaException.class
                && String.valueOf(failure.getMessage()).contains("part of a batch");
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (closed) {
            throw new KafkaException("the ingest is closed");
        }
        if (producer == null) {
            producer = producers.get();
        }
        return producer;
    }

    /** After an error the next record has a new producer: some errors are for good. */
    private void forget(Producer<byte[], byte[]> failed) {
        synchronized (this) {
            // Records that were still in an old producer fail later.
            if (producer != failed) {
                return;
            }
            producer = null;
        }
        try {
            // It does not wait for the producer's thread if that is this one. A thread for the close might not start.
            failed.close(Duration.ZERO);
        } catch (RuntimeException | Error e) {
            LOG.debug("The producer for rejected records is not closed", e);
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

    /** What of a bad record is written. Each form is tried after Kafka refused the one before it. */
    private enum Form {
        WHOLE,
        /** The topic takes smaller records than the one of the pushes. The value is still there, by its offset. */
        NO_VALUE,
        /** Nothing that a producer chose: only the reason, and where the record is. */
        PLACE
    }

    /**
     * A record on its way to the topic for rejected records.
     *
     * @param fate completes with what became of the record, for the log
     */
    private record Write(
            String topic,
            ConsumerRecord<byte[], byte[]> origin,
            DelayException why,
            Form form,
            CompletableFuture<String> fate) {
        /** @return has less of the record */
        Write smaller() {
            return new Write(topic, origin, why, form == Form.WHOLE ? Form.NO_VALUE : Form.PLACE, fate);
        }

        ProducerRecord<byte[], byte[]> rejected() {
            ProducerRecord<byte[], byte[]> rejected = form == Form.PLACE
                    ? new ProducerRecord<>(topic, null)
                    : new ProducerRecord<>(
                            topic,
                            null,
                            origin.timestamp() < 0 ? null : origin.timestamp(),
                            origin.key(),
                            form == Form.WHOLE ? origin.value() : null,
                            origin.headers());
            Headers headers = rejected.headers();
            // A record that was put back and rejected again tells of the last time.
            HEADERS.forEach(headers::remove);
            String message = why.getMessage();
            List.of(
                            List.of(ERROR, why.code().name()),
                            List.of(REASON, message.substring(0, Math.min(message.length(), MAX_REASON))),
                            List.of(ORIGIN_TOPIC, origin.topic()),
                            List.of(ORIGIN_PARTITION, Integer.toString(origin.partition())),
                            List.of(ORIGIN_OFFSET, Long.toString(origin.offset())))
                    .forEach(header -> headers.add(header.get(0), header.get(1).getBytes(UTF_8)));
            return rejected;
        }
    }
}
