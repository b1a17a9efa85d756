/**
 * What a node shows of itself to those who watch it. The module {@code operate} reads it on threads of its own; {@code DelayQueue} gives
 * it.
 */
package io.mykit.delay.queue.state;
