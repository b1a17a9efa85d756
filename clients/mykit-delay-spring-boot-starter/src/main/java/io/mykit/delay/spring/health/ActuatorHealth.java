package io.mykit.delay.spring.health;

import java.util.function.Supplier;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** For Spring Boot 3.5. */
public record ActuatorHealth(Supplier<Finding> look) implements HealthIndicator {
    @Override
    public Health health() {
        Finding found = look.get();
        return (found.isUp() ? Health.up() : Health.down())
                .withDetails(found.details())
                .build();
    }
}
