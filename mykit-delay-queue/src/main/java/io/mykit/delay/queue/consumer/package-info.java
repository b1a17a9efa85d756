/**
 * The face of the queue for consumers that pull, and what goes in and comes out of it. {@code DelayQueue} gives it.
 */
package io.mykit.delay.queue.consumer;
