package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.bench.figure.Pace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * A load client that costs little, because it shares the machine with the server that it measures: one thread, prepared requests,
 * keep-alive, one request at a time on each connection.
 */
public final class HttpLoad implements AutoCloseable {
    private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(2);
    private static final long NAP_NANOS = 100_000;
    private static final long FOR_EVER = Long.MAX_VALUE;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Selector selector;
    private final List<HttpConnection> connections = new ArrayList<>();
    private final ArrayDeque<HttpConnection> idle = new ArrayDeque<>();
    private Histogram micros;
    private long failures;

    public HttpLoad(int port, int connections) {
        try {
            selector = Selector.open();
            for (int i = 0; i < connections; i++) {
                this.connections.add(new HttpConnection(selector, port));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As fast as it goes: every connection sends again as soon as it was answered. */
    public Load saturate(Supplier<ByteBuffer> requests, Duration time) {
        long end = begin() + time.toNanos();
        return run(new Source() {
            @Override
            public boolean hasMore(long now) {
                return now < end;
            }

            @Override
            public long intended(long now) {
                return now;
            }

            @Override
            public ByteBuffer next() {
                return requests.get();
            }
        });
    }

    /** The same for so many requests. */
    public Load send(long count, Supplier<ByteBuffer> requests) {
        begin();
        long[] sent = {0};
        return run(new Source() {
            @Override
            public boolean hasMore(long now) {
                return sent[0] < count;
            }

            @Override
            public long intended(long now) {
                return now;
            }

            @Override
            public ByteBuffer next() {
                sent[0]++;
                return requests.get();
            }
        });
    }

    /** Sends so many a second, independent of the answers. */
    public Load pace(Supplier<ByteBuffer> requests, double perSecond, Duration time) {
        long count = Math.round(perSecond * time.toMillis() / 1000.0);
        return pace(requests, perSecond, sent -> sent < count);
    }

    /** The same until it is to end. */
    public Load paceWhile(BooleanSupplier goesOn, Supplier<ByteBuffer> requests, double perSecond) {
        return pace(requests, perSecond, sent -> goesOn.getAsBoolean());
    }

    private Load pace(Supplier<ByteBuffer> requests, double perSecond, LongPredicate more) {
        Pace pace = new Pace(begin(), perSecond);
        long[] sent = {0};
        return run(new Source() {
            @Override
            public boolean hasMore(long now) {
                return more.test(sent[0]);
            }

            @Override
            public long intended(long now) {
                return pace.intendedNanos(sent[0]);
            }

            @Override
            public ByteBuffer next() {
                sent[0]++;
                return requests.get();
            }
        });
    }

    private long begin() {
        micros = new Histogram(MAX_MICROS, 3);
        failures = 0;
        idle.clear();
        idle.addAll(connections);
        return System.nanoTime();
    }

    private Load run(Source source) {
        long start = System.nanoTime();
        long lastAnswer = start;
        try {
            while (true) {
                long now = System.nanoTime();
                while (!idle.isEmpty() && source.hasMore(now) && source.intended(now) <= now) {
                    HttpConnection connection = idle.poll();
                    connection.send(source.intended(now), source.next());
                }
                boolean more = source.hasMore(now);
                if (!more && idle.size() == connections.size()) {
                    break;
                }
                if (now - lastAnswer > PATIENCE_NANOS) {
                    throw new IllegalStateException("no answer for a minute");
                }
                int answered = await(more && !idle.isEmpty() ? source.intended(now) - now : FOR_EVER);
                if (answered > 0) {
                    lastAnswer = System.nanoTime();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Load(micros.getTotalCount(), failures, seconds, micros);
    }

    /** Reads the bytes that have come; waits for them until the next request goes out. */
    private int await(long nextNanos) throws IOException {
        long millis = TimeUnit.NANOSECONDS.toMillis(nextNanos);
        // A short wait of the selector may last a millisecond too long, so it is none for a request that is due soon.
        int ready = millis > 1 ? selector.select(Math.min(millis - 1, 1000)) : selector.selectNow();
        if (ready == 0) {
            if (millis <= 1) {
                LockSupport.parkNanos(NAP_NANOS);
            }
            return 0;
        }
        for (SelectionKey key : selector.selectedKeys()) {
            HttpConnection connection = (HttpConnection) key.attachment();
            if (connection.advance()) {
                micros.recordValue(Math.max(0, (System.nanoTime() - connection.intendedNanos()) / 1000));
                if (!connection.accepted()) {
                    failures++;
                }
                idle.add(connection);
            }
        }
        selector.selectedKeys().clear();
        return ready;
    }

    @Override
    public void close() {
        try {
            for (HttpConnection connection : connections) {
                connection.close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The requests to send, and their times. */
    private interface Source {
        boolean hasMore(long nowNanos);

        long intended(long nowNanos);

        ByteBuffer next();
    }
}
