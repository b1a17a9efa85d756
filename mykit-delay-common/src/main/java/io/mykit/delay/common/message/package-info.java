/**
 * The message, its statuses, and the legal moves between them.
 *
 * <p>Pure values: no I/O, no clock, no threads. All other packages use these types.
 */
package io.mykit.delay.common.message;
