package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import java.util.List;

/** One line of the bench: some work, and beside it the raw ceiling of the same servers. */
public interface BenchLine {
    /** As in {@code --only}. */
    String name();

    /** The text of {@code --help} about this line. */
    String about();

    /** Measures. An exception fails this line only. */
    List<Figure> measure(Bout bout) throws Exception;
}
