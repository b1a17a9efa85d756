package io.mykit.delay.test.bench.rig;

import io.mykit.delay.v1.DelayServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Pushes by gRPC with a client that costs as little as that of {@link HttpLoad}: one thread, prepared bytes, so many calls in flight on a few
 * connections. The client of grpc-java costs half as much again, and one thread of it is slower than the server.
 */
public final class GrpcLoad implements AutoCloseable {
    private static final int CONNECTIONS = 4;
    private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(2);
    private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(60);
    private static final String PUSH = "/" + DelayServiceGrpc.getPushMethod().getFullMethodName();

    private final Selector selector;
    private final List<GrpcConnection> connections = new ArrayList<>();
    private final int inFlight;
    private Histogram micros;
    private long failures;
    private int running;

    /** @param message the bytes of {@code mykit.delay.v1.Message} */
    public GrpcLoad(int port, int inFlight, byte[] message) {
        this.inFlight = inFlight;
        try {
            selector = Selector.open();
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(new GrpcConnection(selector, port, PUSH, message));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As fast as it goes: each call is followed by the next as soon as it was answered. */
    public Load saturate(Duration time) {
        micros = new Histogram(MAX_MICROS, 3);
        failures = 0;
        running = inFlight;
        long start = System.nanoTime();
        try {
            for (int i = 0; i < inFlight; i++) {
                connections.get(i % CONNECTIONS).call(start);
            }
            for (GrpcConnection connection : connections) {
                connection.flush();
            }
            while (running > 0) {
                if (selector.select(PATIENCE_MS) == 0) {
                    throw new IllegalStateException("no answer for a minute");
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    goOn((GrpcConnection) key.attachment(), start + time.toNanos());
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Load(micros.getTotalCount(), failures, (System.nanoTime() - start) / 1e9, micros);
    }

    private void goOn(GrpcConnection connection, long endNanos) throws IOException {
        connection.advance((succeeded, beganNanos) -> {
            long now = System.nanoTime();
            micros.recordValue(Math.min(MAX_MICROS, TimeUnit.NANOSECONDS.toMicros(now - beganNanos)));
            failures += succeeded ? 0 : 1;
            if (now < endNanos) {
                connection.call(now);
            } else {
                running--;
            }
        });
        connection.flush();
    }

    @Override
    public void close() {
        try {
            for (GrpcConnection connection : connections) {
                connection.close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
