package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import java.util.ArrayList;
import java.util.List;

/** The findings of this run's lines so far. Used by one thread. */
public final class Findings {
    private final List<Figure> figures = new ArrayList<>();

    public void add(List<Figure> found) {
        figures.addAll(found);
    }

    public List<Figure> all() {
        return List.copyOf(figures);
    }

    /** NaN if that line did not run. */
    double value(String line, String what) {
        return figures.stream()
                .filter(figure -> figure.line().equals(line) && figure.what().equals(what))
                .mapToDouble(Figure::value)
                .findFirst()
                .orElse(Double.NaN);
    }
}
