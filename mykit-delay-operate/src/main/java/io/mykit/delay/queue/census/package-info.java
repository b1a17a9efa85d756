/**
 * The state of parts and the numbers of messages, for metrics. {@link io.mykit.delay.queue.census.QueueCensus} is the entry. Its
 * loop looks while metrics are scraped, and the threads of scrapes read its last look.
 */
package io.mykit.delay.queue.census;
