/**
 * Decides when a failed message is tried again, and after how many attempts it is a dead letter. {@code dispatch} asks when an
 * attempt fails; the threads of the dispatcher call this package.
 */
package io.mykit.delay.queue.retry;
