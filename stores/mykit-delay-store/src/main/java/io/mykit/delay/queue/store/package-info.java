/**
 * The durable record of all messages: the message table and the flow log. {@link
 * io.mykit.delay.queue.store.MessageStore} is the interface for the other packages. The packages below implement it.
 * Any thread may call it.
 */
package io.mykit.delay.queue.store;
