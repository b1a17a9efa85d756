package io.mykit.delay.spring.listener;

import java.time.Duration;

/** The values that a listener does not give itself. */
public record ListenerDefaults(int concurrency, Duration ttr, UnreadableBody unreadableBody) {}
