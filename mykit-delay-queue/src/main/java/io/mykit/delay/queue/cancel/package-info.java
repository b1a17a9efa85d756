/**
 * Cancels of messages: the index decides the race with the scanner, then the store records the cancel, then the
 * caller gets the answer. Request threads call it.
 */
package io.mykit.delay.queue.cancel;
