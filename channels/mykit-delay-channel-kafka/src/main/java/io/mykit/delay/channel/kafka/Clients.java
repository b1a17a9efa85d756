package io.mykit.delay.channel.kafka;

import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.kafka.PlainGreeting;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/**
 * The producer of the channel, and the client that asks for topics and for the health of the brokers. The first use makes them, on a
 * thread of its own, because names are resolved then; a producer that cannot send any more is replaced. Thread-safe.
 */
final class Clients {
    private static final Duration ADMIN_CLOSE = Duration.ofSeconds(1);
    private static final Duration PRODUCER_CLOSE = Duration.ofSeconds(3);

    private final ClientProperties properties;
    private final Duration sendTimeout;
    /** Guarded by this; null = none. */
    private CompletableFuture<Current> current;
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
     * The running clients, now or soon. Does not block. The future fails if no client can be made: no broker answers, no host is known,
     * or the channel is closed. The next call tries again then.
     */
    CompletableFuture<Current> get() {
        CompletableFuture<Current> opening;
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(new IllegalStateException("the channel is closed"));
            }
            if (current != null) {
                return current;
            }
            opening = CompletableFuture.supplyAsync(
                    this::open, task -> Threads.daemon("kafka-open", task).start());
            current = opening;
        }
        CompletableFuture<?> unused = opening.whenComplete((made, failure) -> {
            if (failure != null) {
                forget(opening);
            }
        });
        return opening;
    }

    /** Notes that this producer cannot send any more. The next {@link #get} makes another one; this call does not wait for its end. */
    synchronized void broken(Current old) {
        // A newer opening may have failed and not be forgotten yet.
        boolean made = current != null && current.isDone() && !current.isCompletedExceptionally();
        if (made && old.equals(current.join())) {
            current = null;
            Threads.daemon("kafka-close", () -> old.close(Duration.ZERO)).start();
        }
    }

    /** Lets messages that are being sent end, for a few seconds. */
    void close() {
        CompletableFuture<Current> last;
        synchronized (this) {
            closed = true;
            last = current;
            current = null;
        }
        if (last != null) {
            last.thenAccept(made -> made.close(PRODUCER_CLOSE))
                    .exceptionally(e -> null)
                    .join();
        }
    }

    private synchronized void forget(CompletableFuture<Current> failed) {
        if (current == failed) {
            current = null;
        }
    }

    private Current open() {
        try {
            if (!properties.tls()) {
                PlainGreeting.exchange(properties.bootstrapServers(), properties.section(), sendTimeout);
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
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
