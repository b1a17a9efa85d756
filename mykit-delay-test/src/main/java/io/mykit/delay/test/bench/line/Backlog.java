package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.bench.rig.Tally;
import io.mykit.delay.test.server.RedisServer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Messages pushed in batches, all due in the same millisecond. */
final class Backlog {
    /** Pushed first, to wait for an hour and to show how fast pushing is at the moment. */
    private static final int PROBE = 2_000;
    /** Other work on the machine comes and goes. */
    private static final double CAUTION = 1.7;

    private static final int CONNECTIONS = 8;
    private static final Duration MARGIN = Duration.ofMillis(1_500);

    private final RedisServer redis;
    private final long waitingBefore;
    private final long dueMicros;

    private Backlog(RedisServer redis, long waitingBefore, long dueMicros) {
        this.redis = redis;
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
        long waitingBefore = pooled(rig.redis());
        push(rig, count, Requests.due(topic, dueMs));
        if (Tally.nowMicros() > dueMs * 1000) {
            throw new IllegalStateException("due before they were all pushed");
        }
        return new Backlog(rig.redis(), waitingBefore, dueMs * 1000);
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
        try (HttpLoad client = new HttpLoad(rig.server().port(), CONNECTIONS)) {
            client.send(count / BatchLine.SIZE, batch::duplicate).clean();
        }
    }

    long dueMicros() {
        return dueMicros;
    }

    void awaitDue() throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(Math.max(0, dueMicros - Tally.nowMicros()));
    }

    /** Waits until the index has forgotten them, which is the last thing that happens to a message. */
    void awaitSettled(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (pooled(redis) > waitingBefore) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not all settled within " + atMost);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Messages in all buckets together. */
    static long pooled(RedisServer redis) {
        long pooled = 0;
        for (int bucket = 0; bucket < 4; bucket++) {
            pooled += (Long) redis.command("HLEN", "io.mykit.delay:{mykit-delay:" + bucket + "/4}:pool");
        }
        return pooled;
    }
}
