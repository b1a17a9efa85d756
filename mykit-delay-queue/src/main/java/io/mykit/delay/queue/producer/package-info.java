/**
 * The face of the queue for producers, and what goes in and comes out of it. Each way into the server uses it; {@code DelayQueue}
 * gives it.
 */
package io.mykit.delay.queue.producer;
