package io.mykit.delay.test.fault.workload;

import java.util.Map;

/** A message to be pushed. */
record Order(String id, String topic, long delayMs) {
    Map<String, Object> json() {
        return Map.of("id", id, "topic", topic, "delay", delayMs, "body", "body of " + id);
    }
}
