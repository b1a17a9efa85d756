package io.mykit.delay.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.producer.PushResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of reads, pushes and commits, with the client library's own consumer without a broker. */
class IngestSessionTest {
    private static final String TOPIC = "pushes";
    private static final TopicPartition ONE = new TopicPartition(TOPIC, 0);
    private static final TopicPartition TWO = new TopicPartition(TOPIC, 1);
    private static final long STEP = Duration.ofSeconds(11).toNanos();

    /** Of the next commit; empty = none. */
    private Optional<KafkaException> commitFault = Optional.empty();

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest") {
        @Override
        public synchronized void commitAsync(
                Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
            if (commitFault.isPresent()) {
                KafkaException fault = commitFault.get();
                commitFault = Optional.empty();
                throw fault;
            }
            super.commitAsync(offsets, callback);
        }
    };
    private final StubProducers producers = new StubProducers();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(1_800_000_000_000L));
    private long nanos;
    private long offset;
    private IngestSession session;

    @BeforeEach
    void assign() {
        session = session(new IngestBounds(10_000, 100, Duration.ofMillis(200), Duration.ofMillis(20)));
        consumer.subscribe(List.of(TOPIC), session);
        consumer.rebalance(List.of(ONE, TWO));
        consumer.updateBeginningOffsets(Map.of(ONE, 0L, TWO, 0L));
    }

    @AfterEach
    void close() {
        session.close();
    }

    private IngestSession session(IngestBounds bounds) {
        IngestMeters meters = new IngestMeters(registry);
        return new IngestSession(
                consumer,
                producers,
                new RecordForm(producers.rules(), clock, 1000),
                new Rejected(Optional.empty(), MockProducer::new, Runnable::run, "mykit.delay.ingest.kafka", meters),
                meters,
                bounds,
                () -> nanos += Duration.ofMillis(1).toNanos());
    }

    @Test
    void anOffsetIsCommittedOnlyWhenAllRecordsBeforeItAreStored() {
        send(ONE, "a", "b", "c");
        session.turn();
        assertThat(producers.pushed).containsExactly("a=0", "b=1", "c=2");
        store(1);
        store(2);
        later();
        assertThat(committed(ONE)).isZero();
        store(0);
        later();
        assertThat(committed(ONE)).isEqualTo(3);
        assertThat(session.pendingBytes()).isZero();
    }

    @Test
    void aCommitThatThrowsIsNotTheLastOne() {
        send(ONE, "a");
        session.turn();
        store(0);
        commitFault = Optional.of(new GroupAuthorizationException("mykit-delay"));
        assertThatExceptionOfType(GroupAuthorizationException.class).isThrownBy(this::later);
        later();
        assertThat(committed(ONE)).isEqualTo(1);
    }

    @Test
    void anOutageIsNoBadRecordAndThePartitionIsReadAgainFromTheFirstRecordWithoutAnEnd() {
        send(ONE, "a", "b", "c");
        send(TWO, "d");
        session.turn();
        store(0);
        fail(1, ErrorCode.STORE_UNAVAILABLE);
        store(2);
        store(3);
        session.turn();
        assertThat(session.trouble()).hasValueSatisfying(why -> assertThat(why).startsWith("STORE_UNAVAILABLE"));
        send(TWO, "e");
        session.turn();
        assertThat(consumer.paused()).containsExactlyInAnyOrder(ONE, TWO);
        assertThat(producers.pushed).hasSize(4);

        nanos += STEP;
        session.turn();
        assertThat(session.trouble()).isEmpty();
        // MockConsumer forgets the records that were polled.
        send(ONE, 1, "b");
        send(ONE, 2, "c");
        session.turn();
        assertThat(producers.pushed.subList(4, producers.pushed.size())).containsExactlyInAnyOrder("b=1", "c=2", "e=4");
        store(4);
        store(5);
        store(6);
        later();
        assertThat(committed(ONE)).isEqualTo(3);
        assertThat(committed(TWO)).isEqualTo(5);
        assertThat(producers.refused).isEmpty();
    }

    @Test
    void theWaitGrowsWhileTheOutageLasts() {
        send(ONE, "a");
        session.turn();
        fail(0, ErrorCode.BUSY);
        session.turn();
        int pushes = producers.pushed.size();
        for (int round = 0; round < 5; round++) {
            nanos += STEP;
            session.turn();
            send(ONE, 0, "a");
            session.turn();
            assertThat(producers.pushed).hasSize(++pushes);
            fail(pushes - 1, ErrorCode.BUSY);
            session.turn();
            // Less than any wait.
            nanos += Duration.ofMillis(50).toNanos();
            session.turn();
            assertThat(session.trouble()).isPresent();
        }
        assertThat(consumer.committed(Set.of(ONE))).isEmpty();
    }

    @Test
    void theWaitStaysShortWhileEachRoundStoresARecord() {
        for (int round = 0; round < 6; round++) {
            send(ONE, round, "m" + round);
            send(ONE, round + 1, "m" + (round + 1));
            session.turn();
            // An intake that other producers fill takes the one and refuses the other.
            store(2 * round);
            fail(2 * round + 1, ErrorCode.BUSY);
            session.turn();
            assertThat(session.trouble()).isPresent();
            nanos += Duration.ofMillis(250).toNanos();
            session.turn();
            assertThat(session.trouble()).as("round %s", round).isEmpty();
        }
    }

    @Test
    void aConflictIsABadRecordAndItsPartitionGoesOn() {
        send(ONE, "a", "b");
        session.turn();
        fail(0, ErrorCode.ID_CONFLICT);
        store(1);
        later();
        assertThat(session.trouble()).isEmpty();
        assertThat(committed(ONE)).isEqualTo(2);
        assertThat(registry.get("mykit.delay.ingest.rejected")
                        .tag("reason", "id_conflict")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aRecordThatIsNoPushIsPassedOver() {
        consumer.addRecord(new ConsumerRecord<>(TOPIC, 0, 0, null, "no json".getBytes(UTF_8)));
        offset++;
        send(ONE, "b");
        session.turn();
        store(0);
        later();
        assertThat(committed(ONE)).isEqualTo(2);
        assertThat(producers.refused).containsExactly(ErrorCode.INVALID_REQUEST);
    }

    /** Without the wait, a failure of the first one would make the second one a conflict, or the older content the newer one. */
    @Test
    void recordsOfOneIdArePushedOneAfterTheOther() {
        send(ONE, "a", "b", "a");
        session.turn();
        assertThat(producers.pushed).containsExactly("a=0", "b=1");
        fail(0, ErrorCode.BUSY);
        store(1);
        session.turn();
        nanos += STEP;
        session.turn();
        send(ONE, 0, "a");
        send(ONE, 1, "b");
        send(ONE, 2, "a");
        session.turn();
        assertThat(producers.pushed.subList(2, producers.pushed.size())).containsExactly("a=0", "b=1");
        store(2);
        session.turn();
        assertThat(producers.pushed).last().isEqualTo("a=2");
        store(3);
        store(4);
        later();
        assertThat(committed(ONE)).isEqualTo(3);
    }

    @Test
    void aRevokedPartitionCommitsWhatIsStoredAndForgetsTheRest() {
        send(ONE, "a", "b");
        session.turn();
        store(0);
        session.onPartitionsRevoked(List.of(ONE));
        assertThat(committed(ONE)).isEqualTo(1);
        assertThat(session.pendingBytes()).isZero();
        // The answer comes too late to matter.
        store(1);
        later();
        assertThat(committed(ONE)).isEqualTo(1);
    }

    @Test
    void aLostPartitionCommitsNothing() {
        send(ONE, "a");
        session.turn();
        store(0);
        session.onPartitionsLost(List.of(ONE));
        later();
        assertThat(committed(ONE)).isZero();
    }

    @Test
    void noMoreIsReadThanMayBeInFlight() {
        while (session.pendingBytes() < 10_000) {
            send(ONE, "m" + offset);
            session.turn();
        }
        int pushes = producers.pushed.size();
        session.turn();
        send(ONE, "more");
        session.turn();
        assertThat(producers.pushed).hasSize(pushes);
        assertThat(session.trouble()).isEmpty();
        for (int i = 0; i < pushes; i++) {
            store(i);
        }
        session.turn();
        session.turn();
        assertThat(producers.pushed).hasSize(pushes + 1);
    }

    private void send(TopicPartition partition, String... ids) {
        for (String id : ids) {
            send(partition, offset++, id);
        }
    }

    private void send(TopicPartition partition, long at, String id) {
        String json = "{\"topic\":\"orders\",\"id\":\"" + id + "\",\"body\":\"" + at + "\",\"delay\":1}";
        consumer.addRecord(new ConsumerRecord<>(TOPIC, partition.partition(), at, null, json.getBytes(UTF_8)));
    }

    private void store(int push) {
        producers.answers.get(push).complete(PushResult.ACCEPTED);
    }

    private void fail(int push, ErrorCode code) {
        producers.answers.get(push).completeExceptionally(new DelayException(code, "for the test"));
    }

    /** Until the next commit. */
    private void later() {
        session.turn();
        nanos += Duration.ofSeconds(1).toNanos();
        session.turn();
    }

    private long committed(TopicPartition partition) {
        OffsetAndMetadata offset = consumer.committed(Set.of(partition)).get(partition);
        return offset == null ? 0 : offset.offset();
    }
}
