/**
 * The way from a Kafka producer to mykit-delay: {@link io.mykit.delay.client.kafka.DelayInterceptor} turns delayed records into those that
 * the server reads, and {@link io.mykit.delay.client.kafka.Delayed} marks them.
 *
 * <p>The package uses the client of Kafka alone, and runs on the threads that send.
 */
package io.mykit.delay.client.kafka;
