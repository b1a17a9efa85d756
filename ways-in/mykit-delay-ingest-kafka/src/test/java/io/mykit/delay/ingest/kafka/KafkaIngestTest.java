package io.mykit.delay.ingest.kafka;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.ChannelSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No consumer stays open behind a session that the ingest no longer has. */
class KafkaIngestTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_800_000_000_000L));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final BlockingQueue<Watched> opened = new LinkedBlockingQueue<>();
    private volatile Runnable poll = () -> {};
    private final KafkaIngest ingest = new KafkaIngest(settings(), this::open, registry);

    @AfterEach
    void close() {
        poll = () -> {};
        ingest.close();
    }

    /** A record of the old session may be without an end for good. */
    @Test
    void afterAnErrorTheRecordsAreReadByANewSession() throws Exception {
        poll = () -> {
            poll = () -> {};
            throw new Error("no thread");
        };
        ingest.start();
        assertThat(next().closed.await(30, SECONDS)).isTrue();
        assertThat(next().polled.await(30, SECONDS)).isTrue();
    }

    @Test
    void aCloseThatDoesNotWaitLeavesNoConsumerOpen() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        poll = () -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        };
        ingest.start();
        Watched consumer = next();
        assertThat(consumer.polled.await(30, SECONDS)).isTrue();
        // In place of ten seconds of waiting.
        Thread.currentThread().interrupt();
        ingest.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(consumer.closed.await(30, SECONDS)).isTrue();
        assertThat(consumer.interrupted).isFalse();
    }

    private Watched next() throws InterruptedException {
        Watched next = opened.poll(30, SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    private IngestSession open() {
        Watched consumer = new Watched();
        StubProducers producers = new StubProducers();
        IngestMeters meters = new IngestMeters(registry);
        IngestSession session = new IngestSession(
                consumer,
                producers,
                new RecordForm(producers.rules(), CLOCK, 1000),
                new Rejected(Optional.empty(), MockProducer::new, Runnable::run, "mykit.delay.ingest.kafka", meters),
                meters,
                IngestBounds.of(20_000),
                System::nanoTime);
        consumer.subscribe(List.of("pushes"), session);
        opened.add(consumer);
        return session;
    }

    private static IngestSettings settings() {
        Map<String, String> given = Map.of("bootstrap-servers", "127.0.0.1:1");
        return new IngestSettings(ChannelSettings.of(
                KafkaIngestSection.NAME, IngestSettings.keys(), given, Duration.ofSeconds(3), false));
    }

    private final class Watched extends MockConsumer<byte[], byte[]> {
        final CountDownLatch polled = new CountDownLatch(1);
        final CountDownLatch closed = new CountDownLatch(1);
        volatile boolean interrupted;

        Watched() {
            super("earliest");
        }

        /** Without the lock, for which a wakeup would wait. */
        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            polled.countDown();
            poll.run();
            return super.poll(timeout);
        }

        @Override
        public void close(CloseOptions option) {
            interrupted = Thread.currentThread().isInterrupted();
            super.close(option);
            closed.countDown();
        }
    }
}
