package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.rig.Buckets;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.bench.rig.Tally;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Messages pushed in batches, all due in the same millisecond or so many a second. */
final class Backlog {
    /** Pushed first, to wait for an hour and to show how fast pushing is at the moment. */
    private static final int PROBE = 2_000;
    /** Other work on the machine comes and goes. */
    private static final double CAUTION = 1.7;

    private static final int CONNECTIONS = 8;
    private static final Duration MARGIN = Duration.ofMillis(1_500);

    private final Buckets buckets;
    private final long waitingBefore;
    private final long dueMicros;

    private Backlog(Buckets buckets, long waitingBefore, long dueMicros) {
        this.buckets = buckets;
        this.waitingBefore = waitingBefore;
        this.dueMicros = dueMicros;
    }

    /**
     * Pushes them; returns when all are in.
     *
     * @throws IllegalStateException if that took so long that they are due already
     */
    static Backlog load(Rig rig, String topic, int count) {
        long dueMs = safeDueMs(rig, count);
        long waitingBefore = rig.buckets().pooled();
        push(rig, count, Requests.due(topic, dueMs));
        return loaded(rig, waitingBefore, dueMs);
    }

    /** The same of messages that fall due one after the other, so many a second. */
    static Backlog loadPaced(Rig rig, String topic, int count, int perSecond) {
        long firstMs = safeDueMs(rig, count);
        long waitingBefore = rig.buckets().pooled();
        long[] number = {0};
        pushEach(rig, count, () -> Requests.due(topic, firstMs + number[0]++ * 1000 / perSecond));
        return loaded(rig, waitingBefore, firstMs);
    }

    private static Backlog loaded(Rig rig, long waitingBefore, long firstMs) {
        if (Tally.nowMicros() > firstMs * 1000) {
            throw new IllegalStateException("due before they were all pushed");
        }
        return new Backlog(rig.buckets(), waitingBefore, firstMs * 1000);
    }

    /** When so many messages will be in for sure, in epoch milliseconds. */
    static long safeDueMs(Rig rig, int count) {
        long start = Tally.nowMicros();
        push(rig, PROBE, Requests.delayed("accept", AcceptLine.DELAY_MS));
        long now = Tally.nowMicros();
        double loading = (now - start) * CAUTION * count / PROBE;
        return (now + (long) loading) / 1000 + MARGIN.toMillis();
    }

    /** Pushes the same item so many times, in batches. */
    static void push(Rig rig, int count, String item) {
        ByteBuffer batch = Requests.batch(BatchLine.SIZE, i -> item);
        send(rig, count, batch::duplicate);
    }

    /** The same of items that differ; returns how it went, a batch being one request. */
    static Load pushEach(Rig rig, int count, Supplier<String> items) {
        return send(rig, count, () -> Requests.batch(BatchLine.SIZE, i -> items.get()));
    }

    private static Load send(Rig rig, int count, Supplier<ByteBuffer> batches) {
        try (HttpLoad client = new HttpLoad(rig.server().port(), CONNECTIONS)) {
            return client.send(count / BatchLine.SIZE, batches).clean();
        }
    }

    long dueMicros() {
        return dueMicros;
    }

    void awaitDue() throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(Math.max(0, dueMicros - Tally.nowMicros()));
    }

    /** Waits until so many messages of a pulled topic are ready. */
    void awaitReady(String topic, int count, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (buckets.ready(topic) < count) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not all messages are ready after " + atMost);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Waits until the index has forgotten them, which is the last thing that happens to a message. */
    void awaitSettled(Duration atMost) throws InterruptedException {
        buckets.awaitPooled(waitingBefore, atMost);
    }
}
