/**
 * The bench: what a message costs, beside what the same servers cost without us. {@link io.mykit.delay.test.bench.Bench}
 * is the program; {@code line} holds what is measured, {@code rig} the servers, clients and raw ceilings, {@code figure}
 * the arithmetic. One thread runs it all, line after line.
 */
package io.mykit.delay.test.bench;
