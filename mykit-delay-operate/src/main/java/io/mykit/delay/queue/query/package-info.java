/** Queries: the current status of a message and its flow log. Request threads call it. */
package io.mykit.delay.queue.query;
