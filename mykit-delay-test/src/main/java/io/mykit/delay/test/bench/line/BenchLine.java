package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import java.util.List;

/** One line of the bench: some work, and beside it the raw ceiling of the same servers. */
public interface BenchLine {
    /** As in {@code --only}. */
    String name();

    /** What {@code --help} says of it. */
    String about();

    /** Measures. What it throws fails this line only. */
    List<Figure> measure(Bout bout) throws Exception;
}
