package io.mykit.delay.spring.health;

import java.util.Map;

/** What a look found, for the actuator of either version. */
public record Finding(boolean isUp, Map<String, Object> details) {}
