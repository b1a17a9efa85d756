/**
 * The list of all metric families of the server. Each package registers its metrics through {@link
 * io.mykit.delay.queue.metric.Family}, so names, labels and help texts stand in one place. It depends on no other package.
 */
package io.mykit.delay.queue.metric;
