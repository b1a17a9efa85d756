package io.mykit.delay.test.bench.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same quantities, measured several times. Not thread-safe. */
public final class Samples {
    private final Map<String, List<Double>> values = new LinkedHashMap<>();

    public void add(String name, double value) {
        values.computeIfAbsent(name, unknown -> new ArrayList<>()).add(value);
    }

    /**
     * The middle one, or the mean of the two in the middle.
     *
     * @throws IllegalArgumentException if this was never measured
     */
    public double median(String name) {
        List<Double> all = values.get(name);
        if (all == null) {
            throw new IllegalArgumentException("not measured: " + name);
        }
        List<Double> sorted = all.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
