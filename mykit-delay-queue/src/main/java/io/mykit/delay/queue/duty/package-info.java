/**
 * The leader's work of one term, put together: a scanner per bucket, the dispatcher, and the loops that repair. Knows the
 * other rooms, and none of them knows it.
 */
package io.mykit.delay.queue.duty;
