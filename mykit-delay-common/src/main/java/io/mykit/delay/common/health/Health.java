package io.mykit.delay.common.health;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state of one part of the server. Immutable.
 *
 * @param up whether the part works
 * @param details for a person; no secrets
 */
public record Health(boolean up, Map<String, Object> details) {
    public Health {
        details = new LinkedHashMap<>(details);
    }

    public static Health up(Map<String, Object> details) {
        return new Health(true, details);
    }

    public static Health down(String reason) {
        return new Health(false, Map.of("reason", reason));
    }
}
