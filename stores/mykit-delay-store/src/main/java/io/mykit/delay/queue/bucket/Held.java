package io.mykit.delay.queue.bucket;

/**
 * A message as its consumer knows it.
 *
 * @param id of the message
 * @param receipt of the hold: a consumer got it with the message
 */
public record Held(String id, String receipt) {}
