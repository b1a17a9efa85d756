package io.mykit.delay.test.bench.figure;

/**
 * One row of the table.
 *
 * @param line which line of the bench it belongs to
 * @param what its name, for readers
 * @param ceiling the name of the ceiling beside it, for readers; empty: none
 * @param raw the ceiling in the same unit; NaN: none
 * @param target null: none
 */
public record Figure(String line, String what, double value, String unit, String ceiling, double raw, Target target) {

    /** A figure alone. */
    public static Figure of(String line, String what, double value, String unit) {
        return new Figure(line, what, value, unit, "", Double.NaN, null);
    }

    /** The same, beside a figure that was measured without this server. */
    public Figure beside(String ceilingName, double ceilingValue) {
        return new Figure(line, what, value, unit, ceilingName, ceilingValue, target);
    }

    public Figure must(Target bound) {
        return new Figure(line, what, value, unit, ceiling, raw, bound);
    }

    /** Figure by ceiling; NaN without a ceiling. */
    public double ratio() {
        return value / raw;
    }

    /** {@code met}, {@code not met}, or empty without a target. */
    public String verdict() {
        if (target == null) {
            return "";
        }
        return target.isMetBy(value, ratio()) ? "met" : "not met";
    }
}
