package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A message that this leader has taken.
 *
 * @param bucket from which
 * @param untilNanos how long the lease lasts at least, as {@link System#nanoTime()}
 */
record Leased(int bucket, DelayMessage message, long untilNanos) {
    String id() {
        return message.id();
    }

    /** Whether the lease lasts for so much longer. */
    boolean lasts(Duration margin) {
        return untilNanos - System.nanoTime() > margin.toNanos();
    }

    static Map<Integer, List<String>> idsByBucket(List<Leased> messages) {
        Map<Integer, List<String>> ids = new TreeMap<>();
        for (Leased leased : messages) {
            ids.computeIfAbsent(leased.bucket(), bucket -> new ArrayList<>()).add(leased.id());
        }
        return ids;
    }
}
