/**
 * The calls about one message of an earlier push. They block on {@code http-worker} threads. A query that waits for the end of
 * its message is an entry and holds no thread.
 */
package io.mykit.delay.controller.message;
