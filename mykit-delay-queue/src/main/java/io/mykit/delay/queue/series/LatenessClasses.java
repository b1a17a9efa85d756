package io.mykit.delay.queue.series;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts deliveries by their lateness, in classes of which each is at most half as long again as the class before. So a percentile
 * of several nodes or minutes follows from the sums of their classes; percentiles themselves cannot be added. Thread-safe.
 */
public final class LatenessClasses {
    /** The upper bounds in milliseconds, inclusive. The last class has no bound. */
    private static final long[] BOUNDS = {
        1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 350, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000,
        7_000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 300_000, 900_000, 3_600_000
    };

    public static final int COUNT = BOUNDS.length + 1;

    private final LongAdder[] classes = new LongAdder[COUNT];
    private final LongAccumulator longest = new LongAccumulator(Math::max, -1);

    public LatenessClasses() {
        for (int i = 0; i < COUNT; i++) {
            classes[i] = new LongAdder();
        }
    }

    public void record(long lateMs) {
        classes[classOf(lateMs)].increment();
        longest.accumulate(lateMs);
    }

    /** The deliveries of each class since the last call. */
    long[] take() {
        long[] taken = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            taken[i] = classes[i].sumThenReset();
        }
        return taken;
    }

    /** The longest lateness since the last call in milliseconds; -1 = nothing was delivered. */
    long takeLongest() {
        return longest.getThenReset();
    }

    static int classOf(long lateMs) {
        int i = 0;
        while (i < BOUNDS.length && lateMs > BOUNDS[i]) {
            i++;
        }
        return i;
    }

    /**
     * A percentile in milliseconds, interpolated inside its class; -1 = no delivery is counted.
     *
     * @param longest the longest lateness, the bound of the last class
     */
    static long percentile(long[] classes, double share, long longest) {
        long all = 0;
        for (long count : classes) {
            all += count;
        }
        if (all == 0) {
            return -1;
        }
        double wanted = Math.max(1, share * all);
        long before = 0;
        for (int i = 0; i < COUNT; i++) {
            if (before + classes[i] >= wanted) {
                long low = i == 0 ? 0 : BOUNDS[i - 1];
                long high = i == BOUNDS.length ? Math.max(low, longest) : BOUNDS[i];
                long inside = Math.round(low + (high - low) * (wanted - before) / classes[i]);
                return longest < 0 ? inside : Math.min(inside, longest);
            }
            before += classes[i];
        }
        throw new IllegalStateException("the counts of the classes are less than their sum");
    }
}
