package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.fault.history.Version;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message to be pushed.
 *
 * @param id empty = the server is to make one
 * @param version 0, or the number of a replacement
 * @param triggerAtMs instead of the delay, if it is not 0
 * @param extras further fields of the push
 */
public record Order(
        String id,
        int version,
        String topic,
        String body,
        long delayMs,
        long triggerAtMs,
        long ttlSeconds,
        int priority,
        Map<String, Object> extras) {
    private static final long AHEAD_MS = 600_000;

    /** With a body that tells which it is. */
    public Order(String id, String topic, long delayMs) {
        this(id, 0, topic, "body of " + id, delayMs, 0, 0, 0, Map.of());
    }

    public boolean isNamed() {
        return !id.isEmpty();
    }

    public Order named(String newId) {
        return new Order(newId, version, topic, body, delayMs, triggerAtMs, ttlSeconds, priority, extras);
    }

    /** The same again as a replacement: only the due time moves, if it goes by the delay. */
    public Order again(int number) {
        return new Order(id, number, topic, body, delayMs, triggerAtMs, ttlSeconds, priority, extras);
    }

    /** The same with another delay. */
    public Order delayedBy(long newDelayMs) {
        return new Order(id, version, topic, body, newDelayMs, 0, ttlSeconds, priority, extras);
    }

    public Order dueAt(long dueMs) {
        return new Order(id, version, topic, body, 0, dueMs, ttlSeconds, priority, extras);
    }

    public Order withBody(String newBody) {
        return new Order(id, version, topic, newBody, delayMs, triggerAtMs, ttlSeconds, priority, extras);
    }

    public Order withTtl(long seconds) {
        return new Order(id, version, topic, body, delayMs, triggerAtMs, seconds, priority, extras);
    }

    public Order withPriority(int newPriority) {
        return new Order(id, version, topic, body, delayMs, triggerAtMs, ttlSeconds, newPriority, extras);
    }

    public Order with(Map<String, Object> more) {
        return new Order(id, version, topic, body, delayMs, triggerAtMs, ttlSeconds, priority, more);
    }

    /** As a version that nobody has heard of yet. */
    Version sentAt(long nowMs) {
        return new Version(version, body, delayMs, triggerAtMs, ttlSeconds, nowMs, -1, false);
    }

    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        if (isNamed()) {
            json.put("id", id);
        }
        json.put("topic", topic);
        json.put("body", body);
        if (triggerAtMs > 0) {
            json.put("triggerAt", triggerAtMs);
            if (id.hashCode() % 2 == 0) {
                // Of a producer whose clock is ahead. No decision may depend on it.
                json.put("createTime", triggerAtMs + AHEAD_MS);
            }
        } else {
            json.put("delay", delayMs);
        }
        if (ttlSeconds > 0) {
            json.put("ttl", ttlSeconds);
        }
        if (priority > 0) {
            json.put("priority", priority);
        }
        if (version > 0) {
            json.put("replace", true);
            // A repeat with the same absolute time is known without a key.
            if (triggerAtMs == 0) {
                json.put("idempotencyKey", "version-" + version);
            }
        }
        json.putAll(extras);
        return json;
    }
}
