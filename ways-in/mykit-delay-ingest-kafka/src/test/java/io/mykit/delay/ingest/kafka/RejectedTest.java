package io.mykit.delay.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** A bad record ends, whatever its topic says, and a producer that fails takes no other one with it. */
class RejectedTest {
    private static final String BATCH =
            "Failed to append record because it was part of a batch which had one more more invalid records";

    private final DelayException why = new DelayException(ErrorCode.INVALID_REQUEST, "no json");
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<MockProducer<byte[], byte[]>> made = new ArrayList<>();
    private final Rejected rejected = rejected(Runnable::run);

    @Test
    void aRecordThatIsTooLargeIsWrittenWithoutItsValue() {
        CompletableFuture<Void> end = rejected.add(record(0), why);
        made.get(0).errorNext(new RecordTooLargeException("the value"));
        made.get(0).completeNext();
        assertThat(end).isCompleted();
        assertThat(last().key()).isNotNull();
        assertThat(last().value()).isNull();
        assertThat(last().timestamp()).isEqualTo(1_000);
        assertThat(last().headers().toArray()).hasSize(6);
    }

    @Test
    void whatIsStillTooLargeIsWrittenWithNothingThatAProducerChose() {
        CompletableFuture<Void> end = rejected.add(record(7), why);
        made.get(0).errorNext(new RecordTooLargeException("the value"));
        made.get(0).errorNext(new RecordTooLargeException("a header"));
        made.get(0).completeNext();
        assertThat(end).isCompleted();
        assertThat(last().key()).isNull();
        assertThat(last().value()).isNull();
        assertThat(last().timestamp()).isNull();
        assertThat(last().headers().toArray()).hasSize(5);
        assertThat(last().headers().lastHeader("mykit-origin-offset").value()).isEqualTo("7".getBytes(UTF_8));
    }

    /** A compacted topic takes no record without a key. */
    @Test
    void aRecordThatTheTopicTakesInNoFormIsPassedOver() {
        CompletableFuture<Void> end = rejected.add(record(0), why);
        while (made.get(0).errorNext(new InvalidRecordException("no key"))) {
            assertThat(made.get(0).history()).hasSizeLessThan(5);
        }
        assertThat(end).isCompleted();
        assertThat(made.get(0).closed()).isFalse();
        assertThat(registry.get("mykit.delay.ingest.rejected")
                        .tag("reason", "invalid_request")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aRecordBesideABadOneIsSentAgainAsItIs() {
        CompletableFuture<Void> end = rejected.add(record(0), why);
        made.get(0).errorNext(new KafkaException(BATCH));
        made.get(0).completeNext();
        assertThat(end).isCompleted();
        assertThat(last().value()).isNotNull();
    }

    @Test
    void aFaultOfTheBrokerIsNoReasonToPassOverARecord() {
        CompletableFuture<Void> end = rejected.add(record(0), why);
        made.get(0).errorNext(new TimeoutException("away"));
        assertThatThrownBy(end::join).hasRootCauseMessage("away");
        assertThat(made.get(0).closed()).isTrue();
    }

    @Test
    void aLateFailureOfAnOldProducerLeavesTheNewOne() {
        CompletableFuture<Void> first = rejected.add(record(0), why);
        CompletableFuture<Void> second = rejected.add(record(1), why);
        made.get(0).errorNext(new TimeoutException("away"));
        CompletableFuture<Void> third = rejected.add(record(2), why);
        made.get(0).errorNext(new KafkaException("Producer is closed forcefully."));
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        assertThat(made).hasSize(2);
        assertThat(made.get(1).closed()).isFalse();
        made.get(1).completeNext();
        assertThat(third).isCompleted();
    }

    @Test
    void aRecordEndsThoughItsProducerCannotBeClosed() {
        CompletableFuture<Void> end = rejected.add(record(0), why);
        made.get(0).closeException = new KafkaException("torn");
        made.get(0).errorNext(new TimeoutException("away"));
        assertThat(end).isCompletedExceptionally();
    }

    @Test
    void aRecordEndsThoughNoThreadCanBeStarted() {
        Rejected without = rejected(task -> {
            throw new Error("no thread");
        });
        assertThatThrownBy(() -> without.add(record(0), why).join()).hasRootCauseMessage("no thread");
    }

    @Test
    void aRecordEndsThoughNoThreadCanBeStartedForTheNextForm() {
        List<Runnable> tasks = new ArrayList<>();
        Rejected once = rejected(task -> {
            if (!tasks.isEmpty()) {
                throw new Error("no thread");
            }
            tasks.add(task);
        });
        CompletableFuture<Void> end = once.add(record(0), why);
        tasks.get(0).run();
        made.get(0).errorNext(new RecordTooLargeException("the value"));
        assertThatThrownBy(end::join).hasRootCauseMessage("no thread");
    }

    private ProducerRecord<byte[], byte[]> last() {
        List<ProducerRecord<byte[], byte[]>> written = made.get(made.size() - 1).history();
        return written.get(written.size() - 1);
    }

    private Rejected rejected(Executor sender) {
        return new Rejected(
                Optional.of("rejected"),
                () -> {
                    made.add(new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()));
                    return made.get(made.size() - 1);
                },
                sender,
                "mykit.delay.ingest.kafka",
                new IngestMeters(registry));
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset) {
        RecordHeaders headers = new RecordHeaders();
        headers.add("source", new byte[100]);
        return new ConsumerRecord<>(
                "pushes",
                0,
                offset,
                1_000,
                TimestampType.CREATE_TIME,
                100,
                7,
                new byte[100],
                "no json".getBytes(UTF_8),
                headers,
                Optional.empty());
    }
}
