package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.DelayMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A message that this leader has taken, and from which bucket. */
record Leased(int bucket, DelayMessage message) {
    String id() {
        return message.id();
    }

    static Map<Integer, List<String>> idsByBucket(List<Leased> messages) {
        Map<Integer, List<String>> ids = new TreeMap<>();
        for (Leased leased : messages) {
            ids.computeIfAbsent(leased.bucket(), bucket -> new ArrayList<>()).add(leased.id());
        }
        return ids;
    }
}
