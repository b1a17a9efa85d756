package io.mykit.delay.channel.kafka;

import io.mykit.delay.common.lifecycle.Threads;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/**
 * The producer of the channel, and the client that asks for topics and for the health of the brokers. The first use makes them; a
 * producer that cannot send any more is replaced. Thread-safe.
 */
final class Clients {
    private static final Duration ADMIN_CLOSE = Duration.ofSeconds(1);
    private static final Duration PRODUCER_CLOSE = Duration.ofSeconds(3);

    private final ClientProperties properties;
    private final Duration sendTimeout;
    /** Guarded by this; null = none. */
    private Current current;
    /** Guarded by this. */
    private boolean closed;

    Clients(ClientProperties properties, Duration sendTimeout) {
        this.properties = properties;
        this.sendTimeout = sendTimeout;
    }

    ClientProperties properties() {
        return properties;
    }

    /**
     * The running clients.
     *
     * @throws IllegalStateException if the channel is closed
     * @throws org.apache.kafka.common.KafkaException if no client can be made, for example because no host of a broker is known
     */
    synchronized Current get() {
        if (closed) {
            throw new IllegalStateException("the channel is closed");
        }
        if (current == null) {
            current = open();
        }
        return current;
    }

    /** Notes that this producer cannot send any more. The next {@link #get} makes another one; this call does not wait for its end. */
    synchronized void broken(Current old) {
        if (current == old) {
            current = null;
            Threads.daemon("kafka-close", () -> old.close(Duration.ZERO)).start();
        }
    }

    /** Lets messages that are being sent end, for a few seconds. */
    void close() {
        Current last;
        synchronized (this) {
            closed = true;
            last = current;
            current = null;
        }
        if (last != null) {
            last.close(PRODUCER_CLOSE);
        }
    }

    private Current open() {
        Admin admin = Admin.create(properties.admin());
        try {
            Producer<byte[], byte[]> producer = new KafkaProducer<>(properties.producer());
            ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(Threads.named("kafka-topics"));
            return new Current(producer, admin, looks, new KnownTopics(producer, admin, looks, sendTimeout));
        } catch (RuntimeException | Error e) {
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    /**
     * The clients of one time.
     *
     * @param looks the thread on which topics become known
     */
    record Current(Producer<byte[], byte[]> producer, Admin admin, ScheduledExecutorService looks, KnownTopics topics) {
        void close(Duration patience) {
            looks.shutdown();
            producer.close(patience);
            admin.close(patience.isZero() ? Duration.ZERO : ADMIN_CLOSE);
        }
    }
}
