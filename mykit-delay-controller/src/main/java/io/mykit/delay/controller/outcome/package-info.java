/**
 * The state of one message as producers see it, and the requests that wait for its end. A request that waits holds no thread;
 * the messages are read on {@code outcome} threads.
 */
package io.mykit.delay.controller.outcome;
