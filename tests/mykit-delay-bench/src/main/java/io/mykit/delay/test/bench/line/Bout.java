package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.rig.Rig;
import java.util.Random;
import java.util.function.Consumer;

/**
 * The tools of a line.
 *
 * @param random seeded
 * @param findings of the lines before
 * @param say tells the user how far it is
 */
public record Bout(Rig rig, Scale scale, Random random, Findings findings, Consumer<String> say) {
    /**
     * One run of a line.
     *
     * @param <E> what it throws
     */
    @FunctionalInterface
    interface Run<E extends Exception> {
        void measure(Samples into) throws E;
    }

    /** The same with little to do. */
    Bout quick() {
        return new Bout(rig, Scale.QUICK, random, findings, say);
    }

    /**
     * Runs once for the compilers, and then as often as the scale says.
     *
     * @param what begins what the user is told; may be empty
     * @param samples of all runs but the first
     */
    <E extends Exception> void measure(String what, Samples samples, Run<E> run) throws E {
        for (int number = 0; number <= scale.runs(); number++) {
            say.accept(what + (number == 0 ? "warming up" : "run " + number + " of " + scale.runs()));
            run.measure(number == 0 ? new Samples() : samples);
        }
    }
}
