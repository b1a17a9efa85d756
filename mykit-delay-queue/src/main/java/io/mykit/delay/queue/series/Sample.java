package io.mykit.delay.queue.series;

import java.util.Arrays;

/**
 * The numbers of one node in one step. Its arrays are never changed. Immutable.
 *
 * @param timeMs the end of the step in cluster time, a multiple of the step
 * @param flows the events in the step, in the order of {@link Flow#ALL}; -1 = not known
 * @param classes the deliveries by lateness, see {@link LatenessClasses}
 * @param longestMs the longest lateness; -1 = nothing was delivered
 * @param near the messages in Redis; -1 = this node did not look
 */
@SuppressWarnings("ArrayRecordComponent") // No code changes the arrays, and 720 samples are kept.
record Sample(long timeMs, long[] flows, long[] classes, long longestMs, long near) {
    static final long UNKNOWN = -1;

    /** Both together. A number that only one of them knows is that number. */
    Sample plus(Sample other) {
        return new Sample(
                timeMs,
                sums(flows, other.flows),
                sums(classes, other.classes),
                Math.max(longestMs, other.longestMs),
                Math.max(near, other.near));
    }

    private static long[] sums(long[] one, long[] two) {
        long[] sums = new long[one.length];
        Arrays.setAll(sums, i -> one[i] == UNKNOWN ? two[i] : two[i] == UNKNOWN ? one[i] : one[i] + two[i]);
        return sums;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Sample that
                && timeMs == that.timeMs
                && Arrays.equals(flows, that.flows)
                && Arrays.equals(classes, that.classes)
                && longestMs == that.longestMs
                && near == that.near;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(timeMs);
    }
}
