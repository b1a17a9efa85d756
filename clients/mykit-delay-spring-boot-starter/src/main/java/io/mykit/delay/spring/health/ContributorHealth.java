package io.mykit.delay.spring.health;

import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** For Spring Boot 4. */
public record ContributorHealth(Supplier<Finding> look) implements HealthIndicator {
    @Override
    public Health health() {
        Finding found = look.get();
        return (found.isUp() ? Health.up() : Health.down())
                .withDetails(found.details())
                .build();
    }
}
