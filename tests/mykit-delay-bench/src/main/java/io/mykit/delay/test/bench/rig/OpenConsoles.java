package io.mykit.delay.test.bench.rig;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Pages of the console that are open at the overview: each asks for the numbers and the series every five seconds, and for what is
 * due every thirty. A thread of its own asks; {@link #close} ends it.
 */
public final class OpenConsoles implements AutoCloseable {
    private static final int ROUNDS = 6;
    private static final Duration CYCLE = Duration.ofSeconds(30);
    private static final long KNOWN_MS = 10_000;

    private final CompletableFuture<Load> asking;
    private final HttpLoad client;
    private volatile boolean closing;
    /** The requests so far. */
    private final AtomicInteger asked = new AtomicInteger();

    private OpenConsoles(int port, int pages) {
        client = new HttpLoad(port, pages);
        double perSecond = pages * (2 * ROUNDS + 1) / (double) CYCLE.toSeconds();
        asking = CompletableFuture.supplyAsync(() -> client.paceWhile(() -> !closing, this::next, perSecond));
    }

    public static OpenConsoles open(int port, int pages) {
        return new OpenConsoles(port, pages);
    }

    /** The requests so far. */
    public int asked() {
        return asked.get();
    }

    private ByteBuffer next() {
        int turn = asked.getAndIncrement() % (2 * ROUNDS + 1);
        if (turn == 2 * ROUNDS) {
            return Requests.get("/due?slots=60s:60,1h:24,1d:30");
        }
        return Requests.get(
                turn % 2 == 0
                        ? "/overview"
                        : "/series?since=" + (TimeUnit.MICROSECONDS.toMillis(Tally.nowMicros()) - KNOWN_MS));
    }

    /** @throws IllegalStateException if a request was refused */
    @Override
    public void close() {
        closing = true;
        try {
            asking.join().clean();
        } finally {
            client.close();
        }
    }
}
