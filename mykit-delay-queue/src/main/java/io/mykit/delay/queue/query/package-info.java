/** Reading a message's state and way back. */
package io.mykit.delay.queue.query;
