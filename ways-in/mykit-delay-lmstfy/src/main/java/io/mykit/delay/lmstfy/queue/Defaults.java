package io.mykit.delay.lmstfy.queue;

import java.time.Duration;

/**
 * What a request gets that does not say it.
 *
 * @param ttl of a job, whole seconds; zero = for ever
 * @param delay of a job, whole seconds
 * @param tries of a job
 * @param ttr how long a consumer holds a job, whole seconds
 * @param timeout how long a consumer waits, whole seconds
 */
public record Defaults(Duration ttl, Duration delay, int tries, Duration ttr, Duration timeout) {}
