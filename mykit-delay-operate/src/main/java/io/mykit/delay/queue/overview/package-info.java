/**
 * The state of the whole queue for an operator: who leads, which parts are down since when, how much waits, which work runs, and what
 * needs attention. Each node leaves a note about itself in Redis, and reads those of the others while somebody looks. No node calls
 * another one.
 *
 * <p>One loop writes the note of this node; any thread reads.
 */
package io.mykit.delay.queue.overview;
