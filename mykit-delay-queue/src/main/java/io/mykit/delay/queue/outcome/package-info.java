/**
 * Tells requests when the messages for which they wait have ended. {@link io.mykit.delay.queue.outcome.OutcomeWatch} is the entry;
 * every node serves it. The loop {@code outcomes} reads the rows of all awaited messages together.
 */
package io.mykit.delay.queue.outcome;
