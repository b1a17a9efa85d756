package io.mykit.delay.test.bench.rig;

import org.HdrHistogram.Histogram;

/**
 * The outcome of a load.
 *
 * @param answers of all kinds
 * @param failures answers that did not accept everything
 * @param micros from the intended start to the answer
 */
public record Load(long answers, long failures, double seconds, Histogram micros) {

    public double rate() {
        return answers / seconds;
    }

    public double millisAt(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1000.0;
    }

    /** This load and the one right after it, as one. */
    public Load then(Load next) {
        Histogram all = micros.copy();
        all.add(next.micros);
        return new Load(answers + next.answers, failures + next.failures, seconds + next.seconds, all);
    }

    /** Itself, if everything was accepted. */
    public Load clean() {
        if (failures > 0) {
            throw new IllegalStateException(failures + " of " + answers + " requests failed");
        }
        return this;
    }
}
