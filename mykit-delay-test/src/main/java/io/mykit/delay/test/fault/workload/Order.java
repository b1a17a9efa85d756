package io.mykit.delay.test.fault.workload;

import java.util.Map;

/** A message to be pushed. */
public record Order(String id, String topic, long delayMs) {
    public Map<String, Object> json() {
        return Map.of("id", id, "topic", topic, "delay", delayMs, "body", "body of " + id);
    }
}
