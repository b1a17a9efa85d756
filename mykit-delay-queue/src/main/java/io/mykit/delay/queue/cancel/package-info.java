/** Cancelling: the index decides the race with the scanner, the store records it, and only then is it said. */
package io.mykit.delay.queue.cancel;
