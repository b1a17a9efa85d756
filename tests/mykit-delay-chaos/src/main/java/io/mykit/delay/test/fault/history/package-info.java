/**
 * What happened in a run, as values: what producers were told, what consumers got, when faults lasted, and what the
 * stores held at the end. Knows nobody; invariants judge it, and tests make it up.
 */
package io.mykit.delay.test.fault.history;
