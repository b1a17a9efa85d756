package io.mykit.delay.queue.series;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers of one node in one step. Its arrays are never changed. Immutable.
 *
 * @param timeMs the end of the step in cluster time, a multiple of the step
 * @param flows the events in the step, in the order of {@link Flow#ALL}, or those of a topic; -1 = not known
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

    /** Whether nothing was counted. */
    boolean isEmpty() {
        return longestMs < 0 && Arrays.stream(flows).allMatch(n -> n <= 0);
    }

    /** The lateness as JSON values; null = nothing was delivered. */
    Map<String, Object> lateness() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("p50", known(LatenessClasses.percentile(classes, 0.5, longestMs)));
        fields.put("p99", known(LatenessClasses.percentile(classes, 0.99, longestMs)));
        fields.put("max", known(longestMs));
        return fields;
    }

    /** The number as a JSON value; null = not known. */
    static Long known(long number) {
        return number < 0 ? null : number;
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
