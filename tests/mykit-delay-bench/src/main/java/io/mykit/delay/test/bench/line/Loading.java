package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.rig.Buckets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Messages on their way from the database into Redis, watched from there. Used by one thread at a time. */
final class Loading {
    /** Some messages fall due meanwhile and leave Redis. */
    private static final double NEARLY_ALL = 0.99;

    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Buckets buckets;
    private final long enough;
    private final long startedWith;
    private final long startNanos = System.nanoTime();
    private long endedWith;
    private long endNanos;

    /**
     * @param before messages in the index before it began
     * @param missing messages to come
     */
    Loading(Buckets buckets, long before, long missing) {
        this.buckets = buckets;
        this.enough = before + (long) (missing * NEARLY_ALL);
        this.startedWith = buckets.pooled();
    }

    /** Itself, when all are there. */
    Loading watch() {
        do {
            if (System.nanoTime() - startNanos > PATIENCE.toNanos()) {
                throw new IllegalStateException(endedWith + " of " + enough + " are loaded after " + PATIENCE);
            }
            LockSupport.parkNanos(NAP_NANOS);
            endedWith = buckets.pooled();
            endNanos = System.nanoTime();
        } while (endedWith < enough);
        return this;
    }

    /** Messages a second. */
    double rate() {
        return (endedWith - startedWith) * 1e9 / (endNanos - startNanos);
    }

    /** When all were there, of {@link System#nanoTime()}. */
    long endNanos() {
        return endNanos;
    }
}
