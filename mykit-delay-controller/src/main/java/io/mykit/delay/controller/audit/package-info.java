/**
 * The record of the calls that act on the queue: a line in the log for each, and the last ones for operators.
 *
 * <p>Event loops and the threads of the calls come in; nothing here blocks.
 */
package io.mykit.delay.controller.audit;
