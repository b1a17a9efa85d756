package io.mykit.delay.spring.health;

import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** For Spring Boot 4: up while one server is ready. */
public record ContributorHealth(ServerProbe probe) implements HealthIndicator {
    @Override
    public Health health() {
        Map<String, String> states = probe.states();
        Health.Builder health = states.containsValue(ServerProbe.READY) ? Health.up() : Health.down();
        health.withDetails(states);
        Map<String, String> refusals = probe.refusals();
        if (!refusals.isEmpty()) {
            health.withDetail("refusedListeners", refusals);
        }
        return health.build();
    }
}
