package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.rig.Buckets;
import io.mykit.delay.test.bench.rig.LiveHeap;
import io.mykit.delay.test.bench.rig.Rig;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How Redis was emptied and filled again.
 *
 * @param messages that were lost
 * @param noticedSeconds from the end of FLUSHALL until the leader noticed
 * @param seconds from the end of FLUSHALL until all were back and the buckets whole
 * @param heapBytes live heap of the server in the middle; 0 if it was not measured
 */
record Restoration(long messages, double noticedSeconds, double seconds, long heapBytes) {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /**
     * Empties Redis and watches.
     *
     * @param lookAtHeap whether to do so in the middle, which makes the server collect its garbage
     */
    static Restoration watch(Rig rig, boolean lookAtHeap) throws InterruptedException, IOException {
        Buckets buckets = rig.buckets();
        long lost = buckets.pooled();
        // ASYNC, because a loss takes no time: the plain one holds up Redis for seconds.
        rig.redis().command("FLUSHALL", "ASYNC");
        long start = System.nanoTime();
        while (!buckets.restoring()) {
            nap(start, 2);
        }
        double noticed = (System.nanoTime() - start) / 1e9;
        long heap = 0;
        while (buckets.pooled() < lost || buckets.restoring()) {
            if (lookAtHeap && heap == 0 && buckets.pooled() > lost / 2) {
                heap = LiveHeap.bytes(rig.server().pid());
            }
            nap(start, 20);
        }
        return new Restoration(lost, noticed, (System.nanoTime() - start) / 1e9, heap);
    }

    /** Messages a second, since it was noticed. */
    double rate() {
        return messages / (seconds - noticedSeconds);
    }

    private static void nap(long start, int ms) throws InterruptedException {
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
            throw new IllegalStateException("not all are back after " + PATIENCE);
        }
        TimeUnit.MILLISECONDS.sleep(ms);
    }
}
