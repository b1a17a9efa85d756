package io.mykit.delay.test.bench.rig;

import io.mykit.delay.common.lifecycle.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Consumers that pull, with little cost: one thread, a connection for each consumer, one request at a time on it. A consumer pulls,
 * waits for messages, acknowledges them in one request, and pulls again.
 */
public final class PullSink implements Sink {
    /** Longer than any line. A consumer that waits asks again after the longest wait that the server allows. */
    private static final Duration WAIT = Duration.ofSeconds(60);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Selector selector;
    private final Map<HttpConnection, Consumer> consumers = new ConcurrentHashMap<>();
    private final Thread thread = Threads.daemon("bench-consumers", this::run);
    /** Null = consumers acknowledge all messages. */
    private final Duration gap;
    /** The ends of the holds that were left, by message, microseconds. */
    private final Map<String, Long> left = new ConcurrentHashMap<>();

    private volatile Tally tally = new Tally();
    private volatile Tally acked = new Tally();
    private volatile boolean closed;
    private volatile Throwable failure;

    private PullSink(int port, List<String> topics, int count, Duration ttr, Duration gap) {
        this.gap = gap;
        try {
            selector = Selector.open();
            for (String topic : topics) {
                HttpConnection connection = new HttpConnection(selector, port);
                consumers.put(connection, new Consumer(topic, count, ttr));
                consumers.get(connection).pull(connection);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread.start();
    }

    /**
     * Opens consumers that begin at once.
     *
     * @param topics one for each consumer
     * @param count the maximum of messages of one pull
     */
    public static PullSink open(int port, List<String> topics, int count) {
        return new PullSink(port, topics, count, WAIT, null);
    }

    /**
     * Opens consumers that let their first hold of each message end. The tally gets the second arrivals, and counts from the end of
     * the first hold and the gap.
     *
     * @param ttr the length of a hold
     * @param gap of the retry policy
     */
    public static PullSink openLeaving(int port, List<String> topics, Duration ttr, Duration gap) {
        return new PullSink(port, topics, 1, ttr, gap);
    }

    @Override
    public void restart(Tally next) {
        tally = next;
        acked = new Tally();
    }

    /** The acks that were answered since the last restart. */
    public Tally acked() {
        return acked;
    }

    /** Waits until so many acks were answered. */
    public void awaitAcked(long count, Duration atMost) throws InterruptedException {
        acked.await(count, atMost);
        if (failure != null) {
            throw new IllegalStateException("a consumer failed", failure);
        }
    }

    private void run() {
        try {
            while (!closed) {
                selector.select(1000);
                for (SelectionKey key : selector.selectedKeys()) {
                    HttpConnection connection = (HttpConnection) key.attachment();
                    if (connection.advance()) {
                        consumers.get(connection).answered(connection);
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException | RuntimeException e) {
            if (!closed) {
                failure = e;
                System.err.println("bench: a consumer failed: " + e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
            for (HttpConnection connection : consumers.keySet()) {
                connection.close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One consumer. Used by one thread at a time. */
    private final class Consumer {
        private final String topic;
        private final int count;
        private final Duration ttr;
        /** The messages whose ack is under way; empty = a pull is under way. */
        private List<PulledItem> acking = List.of();

        Consumer(String topic, int count, Duration ttr) {
            this.topic = topic;
            this.count = count;
            this.ttr = ttr;
        }

        void pull(HttpConnection connection) throws IOException {
            acking = List.of();
            connection.send(System.nanoTime(), Requests.pull(topic, count, WAIT, ttr));
        }

        void answered(HttpConnection connection) throws IOException {
            if (!connection.accepted()) {
                throw new IllegalStateException("refused: " + connection.body());
            }
            if (!acking.isEmpty()) {
                acking.forEach(item -> acked.arrived(Tally.nowMicros(), item.id()));
                pull(connection);
                return;
            }
            List<PulledItem> done = new ArrayList<>();
            for (PulledItem item : PulledItem.all(connection.body())) {
                if (gap != null && item.attempt() == 1) {
                    left.put(item.id(), TimeUnit.MILLISECONDS.toMicros(item.leaseUntilMs() + gap.toMillis()));
                } else {
                    Long again = left.remove(item.id());
                    tally.arrived(again == null ? TimeUnit.MILLISECONDS.toMicros(item.dueMs()) : again, item.id());
                    done.add(item);
                }
            }
            if (done.isEmpty()) {
                pull(connection);
            } else {
                acking = done;
                connection.send(System.nanoTime(), Requests.ack(done));
            }
        }
    }
}
