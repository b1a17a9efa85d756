package io.mykit.delay.test.bench.figure;

/**
 * The goal of a figure.
 *
 * @param of the figure itself, or its ratio to the raw ceiling
 * @param atMost whether the bound is the highest or the lowest that will do
 */
public record Target(Of of, boolean atMost, double bound) {

    /** The number that is compared with the bound. */
    public enum Of {
        VALUE,
        RATIO
    }

    public static Target valueAtMost(double bound) {
        return new Target(Of.VALUE, true, bound);
    }

    public static Target valueAtLeast(double bound) {
        return new Target(Of.VALUE, false, bound);
    }

    public static Target ratioAtMost(double bound) {
        return new Target(Of.RATIO, true, bound);
    }

    public static Target ratioAtLeast(double bound) {
        return new Target(Of.RATIO, false, bound);
    }

    /** A value that is not a number meets no target. */
    boolean isMetBy(double value, double ratio) {
        double judged = of == Of.VALUE ? value : ratio;
        return atMost ? judged <= bound : judged >= bound;
    }

    @Override
    public String toString() {
        return (of == Of.RATIO ? "ratio " : "") + (atMost ? "<= " : ">= ") + Numbers.text(bound);
    }
}
