/**
 * The calls that push messages, one or many. Pushes are parsed on the event loop, batches on an {@code http-worker}
 * thread; both are completed by the threads of the intake.
 */
package io.mykit.delay.controller.push;
