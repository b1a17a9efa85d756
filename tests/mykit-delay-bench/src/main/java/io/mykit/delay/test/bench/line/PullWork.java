package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How consumers work off messages that are ready. */
enum PullWork {
    BATCHES("in batches of 100", 8, 100, 1, 10_000),
    ONE_BY_ONE("one by one", 32, 1, 5, 2_000);

    private final String text;
    private final int consumers;
    private final int together;
    /** The divisor of the messages of a run. */
    private final int share;

    private final int goal;

    PullWork(String text, int consumers, int together, int share, int goal) {
        this.text = text;
        this.consumers = consumers;
        this.together = together;
        this.share = share;
        this.goal = goal;
    }

    int consumers() {
        return consumers;
    }

    /** Messages of one pull, and of one ack. */
    int together() {
        return together;
    }

    int messages(Scale scale) {
        return scale.drain() / share / BatchLine.SIZE * BatchLine.SIZE;
    }

    void add(Samples samples, int count, double seconds, Map<String, Double> spent) {
        samples.add("rate " + this, count / seconds);
        double all = 0;
        for (Map.Entry<String, Double> part : spent.entrySet()) {
            double micros = part.getValue() * 1e6 / count;
            samples.add(part.getKey() + " " + this, micros);
            all += micros;
        }
        samples.add("all " + this, all);
    }

    void addRaw(Samples samples, double rate, double redisMicros) {
        samples.add("raw rate " + this, rate);
        samples.add("raw Redis " + this, redisMicros);
    }

    void addRawRows(Samples samples, double rate, double micros) {
        samples.add("raw rows rate " + this, rate);
        samples.add("raw rows " + this, micros);
    }

    static List<Figure> figures(String line, Samples samples) {
        List<Figure> figures = new ArrayList<>();
        for (PullWork work : values()) {
            String with = ", " + work.text;
            figures.add(Figure.of(line, "pull + ack" + with, samples.median("rate " + work), "/s")
                    .beside("Redis alone, as lmstfy", samples.median("raw rate " + work))
                    .must(Target.valueAtLeast(work.goal)));
            for (String part : List.of("server", "Redis", "database")) {
                figures.add(Figure.of(line, "CPU of " + part + with, samples.median(part + " " + work), "us"));
            }
            figures.add(Figure.of(line, "CPU of all" + with, samples.median("all " + work), "us")
                    .beside(
                            "JDBC + Redis, as lmstfy",
                            samples.median("raw rows " + work) + samples.median("raw Redis " + work)));
            figures.add(Figure.of(
                    line, "raw: JDBC on one connection" + with, samples.median("raw rows rate " + work), "/s"));
        }
        return figures;
    }
}
