package io.mykit.delay.test.bench.figure;

/**
 * When the n-th of evenly spaced events is meant to happen. Delays are measured from the intended time, so that a server
 * which stalls does not also stop the measuring (coordinated omission).
 */
public record Pace(long startNanos, double perSecond) {

    /** @param n from 0 */
    public long intendedNanos(long n) {
        return startNanos + (long) (n * 1e9 / perSecond);
    }
}
