package io.mykit.delay.queue.overview;

import io.mykit.delay.common.health.Health;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A part as it was at the last look. Immutable.
 *
 * @param sinceMs since when it is up or down, as far as this node has seen it
 */
record PartState(Health health, long sinceMs) {
    private static final String REASON = "reason";

    /** The state after another look. */
    static PartState after(PartState before, Health now, long nowMs) {
        boolean same = before != null && before.isUp() == now.up();
        return new PartState(now, same ? before.sinceMs : nowMs);
    }

    boolean isUp() {
        return health.up();
    }

    Object detail(String name) {
        return health.details().get(name);
    }

    /** The reason why it is down; empty if it is up or gives none. */
    String reason() {
        Object reason = isUp() ? null : detail(REASON);
        return reason == null ? "" : reason.toString();
    }

    /** What the words of Redis mean, if this is the index and it is down. */
    WarningCode indexWord() {
        String reason = reason();
        if (reason.contains("OOM")) {
            return WarningCode.REDIS_FULL;
        }
        boolean refuses = reason.contains("READONLY") || reason.contains("MISCONF") || reason.contains("NOREPLICAS");
        return refuses ? WarningCode.REDIS_READONLY : WarningCode.REDIS_DOWN;
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("up", isUp());
        fields.put("since", sinceMs);
        if (!reason().isEmpty()) {
            fields.put("text", reason());
        }
        return fields;
    }
}
