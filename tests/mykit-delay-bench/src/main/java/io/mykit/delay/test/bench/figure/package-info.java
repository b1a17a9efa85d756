/** Figures, their targets, medians and pacing: plain values and arithmetic, without servers. */
package io.mykit.delay.test.bench.figure;
