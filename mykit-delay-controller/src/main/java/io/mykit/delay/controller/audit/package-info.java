/**
 * The record of the calls that act on the queue: a row in the table before it acts, a line in the log after it, and the last ones for
 * operators.
 *
 * <p>Event loops and the threads of the calls come in, and are not blocked. Threads of this package write the rows.
 */
package io.mykit.delay.controller.audit;
