package io.mykit.delay.channel.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.bounded.NotSentException;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection with the channels that wait for their next batch. The number of channels is the highest number of batches that were ever
 * sent over it at the same time. Once it is lost it stays so: {@link LinkSource} makes another one. Thread-safe.
 */
final class BrokerLink {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerLink.class);
    /** No broker has a smaller limit for a message than this, in bytes, unless it was set by hand. */
    private static final long SURELY_TAKEN = 16 * 1024;

    private static final int CLOSE_TIMEOUT_MS = 1000;

    private final Connection connection;
    private final Socket socket;
    private final Deque<ConfirmedChannel> idle = new ArrayDeque<>();
    private final AtomicInteger channels = new AtomicInteger();
    private final AtomicLong largestTaken = new AtomicLong(SURELY_TAKEN);
    private final AtomicLong lastSignNanos = new AtomicLong(System.nanoTime());
    /** Why the broker reads nothing from this connection now; null = it reads. */
    private volatile String blocked;

    /** @param socket of the connection, so that it can be cut while a write hangs */
    BrokerLink(Connection connection, Socket socket) {
        this.connection = connection;
        this.socket = socket;
        connection.addBlockedListener(this::block, this::unblock);
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    /** Whether the broker has blocked publishers: its memory or disk is nearly full. */
    boolean isBlocked() {
        return blocked != null;
    }

    /**
     * A channel that no other batch uses. It blocks while the broker opens a new one.
     *
     * @throws NotSentException if the connection is blocked or lost
     */
    ConfirmedChannel take() throws NotSentException {
        String why = blocked;
        if (why != null) {
            throw new NotSentException("the broker takes no messages now (connection.blocked): " + why, null);
        }
        for (ConfirmedChannel channel = poll(); channel != null; channel = poll()) {
            if (channel.isOpen()) {
                return channel;
            }
            channels.decrementAndGet();
        }
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                throw new NotSentException("the broker allows no more channels on this connection", null);
            }
            ConfirmedChannel confirmed = new ConfirmedChannel(channel, this::sign);
            channels.incrementAndGet();
            sign();
            return confirmed;
        } catch (NotSentException e) {
            throw e;
        } catch (AlreadyClosedException e) {
            throw new NotSentException(SendFaults.reason(e), e);
        } catch (IOException | RuntimeException e) {
            throw new NotSentException("no channel: " + SendFaults.reason(e), e);
        }
    }

    /** Takes a channel back whose messages are all answered. */
    void giveBack(ConfirmedChannel channel) {
        synchronized (idle) {
            idle.push(channel);
        }
    }

    /** Closes a channel that must not be used again. It may block while the broker does not answer. */
    void drop(ConfirmedChannel channel) {
        channels.decrementAndGet();
        channel.abort();
    }

    /** A body of more bytes than this may be too large for the broker: it is sent alone, because a refusal closes the channel. */
    long largestTaken() {
        return largestTaken.get();
    }

    /** The broker has taken a body of this size. */
    void took(long bytes) {
        largestTaken.accumulateAndGet(bytes, Math::max);
    }

    /** Whether the broker has answered nothing on this connection since then, though it reads. */
    boolean isSilentSince(long nanos) {
        return !isBlocked() && lastSignNanos.get() - nanos < 0;
    }

    /** The bytes of the largest frame; 0 = no limit. */
    int frameMax() {
        return connection.getFrameMax();
    }

    /** Product and version of the broker, and the number of channels. */
    Map<String, Object> details() {
        Map<String, Object> server = connection.getServerProperties();
        return Map.of(
                "broker",
                server.getOrDefault("product", "unknown") + " " + server.getOrDefault("version", ""),
                "channels",
                channels.get());
    }

    /** Waits for an answer of the broker. */
    void roundTrip() throws IOException {
        ConfirmedChannel channel = take();
        try {
            channel.roundTrip();
            sign();
        } catch (IOException | ShutdownSignalException e) {
            drop(channel);
            throw new IOException(SendFaults.reason(e), e);
        }
        giveBack(channel);
    }

    /** Closes the connection in order; takes about a second if the broker does not answer, and longer if a write hangs. */
    void close() {
        connection.abort(CLOSE_TIMEOUT_MS);
    }

    /** Drops the connection without a farewell. Each thread that reads or writes ends with an exception. */
    void cut() {
        try {
            // Without it the close of a TLS socket would wait for a write that hangs.
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            LOG.debug("A connection to RabbitMQ was closed before", e);
        }
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("A connection to RabbitMQ did not close cleanly: {}", Reasons.of(e));
        }
    }

    private ConfirmedChannel poll() {
        synchronized (idle) {
            return idle.poll();
        }
    }

    private void sign() {
        lastSignNanos.set(System.nanoTime());
    }

    private void block(String reason) {
        blocked = reason == null ? "" : reason;
        LOG.warn("RabbitMQ has blocked publishers: {}", reason);
    }

    private void unblock() {
        blocked = null;
        sign();
        LOG.info("RabbitMQ takes messages again");
    }
}
