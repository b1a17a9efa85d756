/** Finds messages by their ids, in both stores. Request threads call it. */
package io.mykit.delay.queue.lookup;
