/**
 * The step from the store into the index. It decides which messages are due within the horizon, and handles messages
 * that the index cannot take now. Intake and recovery share it. Any thread may call it.
 */
package io.mykit.delay.queue.schedule;
