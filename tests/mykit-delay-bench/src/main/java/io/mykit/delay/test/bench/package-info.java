/**
 * The bench: the cost of a message, beside the cost of the same servers without this server. {@link
 * io.mykit.delay.test.bench.Bench} is the program; {@code line} holds the lines, {@code rig} the servers, clients and raw
 * ceilings, {@code figure} the arithmetic. One thread runs it all, line after line.
 */
package io.mykit.delay.test.bench;
