package io.mykit.delay.test.bench.line;

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
public record Bout(Rig rig, Scale scale, Random random, Findings findings, Consumer<String> say) {}
