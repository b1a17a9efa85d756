package io.mykit.delay.client;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which messages of a topic {@link Topics#clear} cancels. Immutable.
 *
 * @param isReadyOnly whether messages that are not due yet stay
 * @param isDryRun whether messages are only counted
 */
public record ClearOrder(String topic, boolean isReadyOnly, boolean isDryRun) {
    /** The due messages of a topic that were not handed out. */
    public static ClearOrder ready(String topic) {
        return new ClearOrder(topic, true, false);
    }

    /** The due and the waiting messages of a topic that were not handed out. */
    public static ClearOrder all(String topic) {
        return new ClearOrder(topic, false, false);
    }

    /** Counts, and changes nothing. */
    public ClearOrder dryRun() {
        return new ClearOrder(topic, isReadyOnly, true);
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("topic", topic);
        fields.put("state", isReadyOnly ? "ready" : "all");
        if (isDryRun) {
            fields.put("dryRun", true);
        }
        return fields;
    }
}
