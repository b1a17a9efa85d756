package io.mykit.delay.queue.overview;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parts of this node, looked at every few seconds, so that a reader waits for none of them. One thread looks; any thread reads. */
final class Parts {
    static final String STORE = "store";
    static final String INDEX = "index";
    static final String REGISTRY = "registry";
    static final String CHANNELS = "channels";

    private final List<HealthCheck> checks;
    private volatile Map<String, PartState> states = Map.of();
    private volatile Map<String, PartState> channels = Map.of();

    Parts(List<HealthCheck> checks) {
        this.checks = List.copyOf(checks);
    }

    void look(long nowMs) {
        Map<String, PartState> next = new LinkedHashMap<>();
        for (HealthCheck check : checks) {
            Health health = health(check);
            next.put(check.name(), PartState.after(states.get(check.name()), health, nowMs));
            if (check.name().equals(CHANNELS)) {
                channels = each(health, nowMs);
            }
        }
        states = next;
    }

    private static Health health(HealthCheck check) {
        try {
            return check.check();
        } catch (RuntimeException e) {
            return Health.down("the check failed: " + e.getClass().getSimpleName());
        }
    }

    private Map<String, PartState> each(Health health, long nowMs) {
        Map<String, PartState> next = new LinkedHashMap<>();
        health.details().forEach((name, detail) -> {
            if (detail instanceof Map<?, ?> details) {
                Object reason = details.get("reason");
                boolean up = Boolean.TRUE.equals(details.get("up"));
                Health own = up ? Health.up(Map.of()) : Health.down(reason == null ? "" : reason.toString());
                next.put(name, PartState.after(channels.get(name), own, nowMs));
            }
        });
        return next;
    }

    Map<String, PartState> all() {
        return states;
    }

    /** The channels by name. */
    Map<String, PartState> channels() {
        return channels;
    }

    Optional<PartState> find(String name) {
        return Optional.ofNullable(states.get(name));
    }

    /** Whether the part was up at the last look; a part that was not looked at yet counts as up. */
    boolean isUp(String name) {
        PartState state = states.get(name);
        return state == null || state.isUp();
    }

    /** Whether the index answers questions. It may refuse writes all the same. */
    boolean isIndexReadable() {
        PartState state = states.get(INDEX);
        return state == null || state.isUp() || state.indexWord() != WarningCode.REDIS_DOWN;
    }

    List<String> down() {
        return states.entrySet().stream()
                .filter(part -> !part.getValue().isUp())
                .map(Map.Entry::getKey)
                .toList();
    }
}
