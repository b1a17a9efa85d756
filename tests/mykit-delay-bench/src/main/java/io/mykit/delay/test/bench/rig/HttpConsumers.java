package io.mykit.delay.test.bench.rig;

import io.mykit.delay.common.lifecycle.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Consumers over HTTP, with little cost: one thread, one request at a time on each connection. Each connection belongs to a consumer, which
 * says what an answer means and what follows.
 */
abstract class HttpConsumers implements Sink {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Selector selector;
    private final int port;
    private final Map<HttpConnection, Answered> consumers = new ConcurrentHashMap<>();
    private final Thread thread = Threads.daemon("bench-consumers", this::run);

    private volatile Tally tally = new Tally();
    private volatile Tally acked = new Tally();
    private volatile boolean closed;
    private volatile Throwable failure;

    HttpConsumers(int port) {
        this.port = port;
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes a complete answer, and may send the next request. */
    interface Answered {
        void answered(HttpConnection connection) throws IOException;
    }

    /** A connection whose answers this consumer takes. Only before {@link #begin}. */
    HttpConnection connect(Answered consumer) throws IOException {
        HttpConnection connection = new HttpConnection(selector, port);
        consumers.put(connection, consumer);
        return connection;
    }

    void begin() {
        thread.start();
    }

    /** The arrivals since the last restart. */
    Tally tally() {
        return tally;
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
}
