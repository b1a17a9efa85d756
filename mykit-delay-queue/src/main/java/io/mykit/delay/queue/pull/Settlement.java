package io.mykit.delay.queue.pull;

import java.time.Duration;

/**
 * One message that a consumer settles.
 *
 * @param receipt null = by the id alone; only an ack may have none
 * @param delay how long the message waits after a nack or a release; null = the gap of its policy, or not at all
 * @param ttr how long an extended hold lasts from now; null = {@code pull.ttr}
 * @param detail the consumer's reason, for a person; may be empty
 */
public record Settlement(String id, String receipt, Duration delay, Duration ttr, String detail) {}
