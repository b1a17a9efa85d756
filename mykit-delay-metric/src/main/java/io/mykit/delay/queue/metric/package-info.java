/**
 * The list of all metric families of the server. Each package registers its metrics through {@link
 * io.mykit.delay.queue.metric.Family}, so names, labels and help texts stand in one place. {@link
 * io.mykit.delay.queue.metric.TopicMeters} has the metrics of single topics. Any thread counts, and the threads of scrapes read.
 */
package io.mykit.delay.queue.metric;
