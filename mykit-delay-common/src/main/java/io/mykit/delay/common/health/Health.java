package io.mykit.delay.common.health;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A part's state.
 *
 * @param up whether it does its job
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
