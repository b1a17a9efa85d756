/**
 * The calls of consumers that pull messages, and the calls that show topics.
 *
 * <p>A request that waits for messages is an entry and holds no thread. The calls that show topics block on {@code
 * http-worker} threads.
 */
package io.mykit.delay.controller.pull;
