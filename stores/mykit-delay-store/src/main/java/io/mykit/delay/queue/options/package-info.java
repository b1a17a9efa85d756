/**
 * The stored form of the options that a producer gave a message: headers, retry policy, ttr and target. The table, the
 * pool values and the answers of the HTTP interface have the same names and values.
 *
 * <p>Stateless; any thread.
 */
package io.mykit.delay.queue.options;
