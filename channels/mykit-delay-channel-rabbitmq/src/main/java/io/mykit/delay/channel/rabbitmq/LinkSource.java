package io.mykit.delay.channel.rabbitmq;

import io.mykit.delay.channel.bounded.NotSentException;
import io.mykit.delay.common.lifecycle.Backoff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connection to the brokers. It is made at the first use, and again after it was lost. After a failure the next try waits, and each
 * use before it fails at once with the reason. The client's own recovery is off: it would hide which messages were lost. Thread-safe.
 */
final class LinkSource {
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2));

    private final Connector connector;
    private final Runnable onConnect;
    private final ReentrantLock connecting = new ReentrantLock();
    private volatile BrokerLink link;
    private volatile boolean closed;
    /** Guarded by the lock, as the two below. */
    private int failures;

    private long nextTryNanos;
    private String lastFailure = "";

    /** @param onConnect called after each connect, before the connection is used */
    LinkSource(Connector connector, Runnable onConnect) {
        this.connector = connector;
        this.onConnect = onConnect;
    }

    /**
     * The connection. One thread connects; the others wait for it.
     *
     * @param patience how long to wait for another thread that connects
     * @throws NotSentException if there is no connection; the message is the reason, for a person
     */
    BrokerLink get(Duration patience) throws NotSentException, InterruptedException {
        BrokerLink current = link;
        if (current != null && current.isOpen()) {
            return current;
        }
        if (!connecting.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new NotSentException("no connection yet", null);
        }
        try {
            return closed ? none() : connected();
        } finally {
            connecting.unlock();
        }
    }

    private BrokerLink connected() throws NotSentException {
        BrokerLink current = link;
        if (current != null && current.isOpen()) {
            return current;
        }
        if (failures > 0 && System.nanoTime() - nextTryNanos < 0) {
            throw new NotSentException(lastFailure, null);
        }
        try {
            BrokerLink made = connector.connect();
            onConnect.run();
            link = made;
        } catch (NotSentException e) {
            failures++;
            lastFailure = e.getMessage();
            nextTryNanos = System.nanoTime() + BACKOFF.after(failures).toNanos();
            throw e;
        }
        failures = 0;
        if (closed) {
            link.cut();
            return none();
        }
        return link;
    }

    private static BrokerLink none() throws NotSentException {
        throw new NotSentException("the channel is closed", null);
    }

    /** Ends the connection in order; it may block. */
    void close() {
        closed = true;
        BrokerLink current = link;
        if (current != null) {
            current.close();
        }
    }

    /** Ends the connection at once, after {@link #close}. */
    void cut() {
        BrokerLink current = link;
        if (current != null) {
            current.cut();
        }
    }
}
