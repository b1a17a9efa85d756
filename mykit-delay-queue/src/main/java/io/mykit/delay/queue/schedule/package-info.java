/**
 * The step from the store into the index, shared by intake and recovery: which messages are near enough, and what
 * happens to those that the index cannot take now.
 */
package io.mykit.delay.queue.schedule;
