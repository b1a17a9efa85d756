/**
 * The numbers of the last hour, so that an operator sees them without a monitoring system: counters, lateness and waiting messages
 * of each five seconds. The numbers of other nodes come from Redis.
 *
 * <p>One thread adds the samples of this node; any thread reads.
 */
package io.mykit.delay.queue.series;
