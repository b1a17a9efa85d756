/**
 * The truth: the message table and the flow log. {@link io.mykit.delay.queue.store.MessageStore} is what the others
 * see; how it is kept is the business of the packages below.
 */
package io.mykit.delay.queue.store;
