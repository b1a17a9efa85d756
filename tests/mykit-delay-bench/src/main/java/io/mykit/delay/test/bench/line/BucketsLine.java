package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.bench.rig.Sink;
import io.mykit.delay.test.bench.rig.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The effect of the number of buckets, on one Redis. */
public final class BucketsLine implements BenchLine {
    private static final List<Integer> COUNTS = List.of(1, 4, 16, 64);
    private static final int PER_SECOND = 1_000;

    @Override
    public String name() {
        return "buckets";
    }

    @Override
    public String about() {
        return "drain to RocketMQ, lateness, and commands at rest with 1, 4, 16 and 64 buckets";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        List<Figure> figures = new ArrayList<>();
        Broker broker = bout.rig().brokers().get(0);
        String paced = broker.topic(Broker.Use.LATENESS);
        try (Sink sink = broker.sink(broker.topic(Broker.Use.DRAIN));
                Sink pacedSink = broker.sink(paced)) {
            for (int buckets : COUNTS) {
                bout.say().accept(buckets + " buckets");
                bout.rig().freshServer(Map.of(Rig.BUCKETS_KEY, Integer.toString(buckets)));
                Samples samples = new Samples();
                DrainLine.ours(broker, bout, new Samples(), sink, bout.scale().drain());
                for (int run = 0; run < bout.scale().runs(); run++) {
                    DrainLine.ours(broker, bout, samples, sink, bout.scale().drain());
                }
                Tally lateness = LatenessLine.ours(
                        bout, paced, pacedSink, PER_SECOND, bout.scale().lateness());
                figures.addAll(figures(
                        buckets,
                        samples,
                        lateness,
                        Rest.watch(bout, bout.scale().watch())));
            }
        } finally {
            bout.rig().freshServer();
        }
        return figures;
    }

    private List<Figure> figures(int buckets, Samples samples, Tally lateness, Rest rest) {
        String with = ", " + buckets + " buckets";
        return List.of(
                Figure.of(name(), "rate" + with, samples.median("rate"), "/s"),
                Figure.of(name(), "CPU of Redis" + with, samples.median("Redis"), "us"),
                Figure.of(name(), "CPU of server" + with, samples.median("server"), "us"),
                Figure.of(
                        name(),
                        String.format(Locale.ROOT, "p50, %,d/s%s", PER_SECOND, with),
                        lateness.millisAt(50),
                        "ms"),
                Figure.of(
                        name(),
                        String.format(Locale.ROOT, "p99, %,d/s%s", PER_SECOND, with),
                        lateness.millisAt(99),
                        "ms"),
                Figure.of(name(), "CPU of all at rest" + with, rest.all(), "% of a core"),
                Figure.of(name(), "Redis commands at rest" + with, rest.commands(), "/s"));
    }
}
