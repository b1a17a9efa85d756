/**
 * Hands due messages of pulled topics out to consumers that ask for them, and settles them. {@link
 * io.mykit.delay.queue.consumer.Consumers} is the entry; every node serves it. A consumer that waits is an entry and no thread.
 */
package io.mykit.delay.queue.pull;
