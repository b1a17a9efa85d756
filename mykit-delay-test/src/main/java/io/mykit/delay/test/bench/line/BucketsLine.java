package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.bench.rig.Sink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What the number of buckets changes, on one Redis. */
public final class BucketsLine implements BenchLine {
    private static final List<Integer> COUNTS = List.of(1, 4, 16, 64);
    private static final int SETTLE_SECONDS = 5;

    @Override
    public String name() {
        return "buckets";
    }

    @Override
    public String about() {
        return "drain to RocketMQ and commands at rest with 1, 4, 16 and 64 buckets";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        List<Figure> figures = new ArrayList<>();
        Broker broker = bout.rig().brokers().get(0);
        try (Sink sink = broker.sink(broker.topic(Broker.Use.DRAIN))) {
            for (int buckets : COUNTS) {
                bout.say().accept(buckets + " buckets");
                bout.rig().freshServer(Map.of(Rig.BUCKET_SIZE, Integer.toString(buckets)));
                Samples samples = new Samples();
                DrainLine.ours(broker, bout, new Samples(), sink, bout.scale().drain());
                for (int run = 0; run < bout.scale().runs(); run++) {
                    DrainLine.ours(broker, bout, samples, sink, bout.scale().drain());
                }
                TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
                figures.addAll(figures(buckets, samples, atRest(bout)));
            }
        } finally {
            bout.rig().freshServer();
        }
        return figures;
    }

    /** Redis commands a second. */
    private static double atRest(Bout bout) throws InterruptedException {
        long before = commands(bout);
        TimeUnit.NANOSECONDS.sleep(bout.scale().watch().toNanos());
        return (commands(bout) - before - 1) * 1e9 / bout.scale().watch().toNanos();
    }

    private static long commands(Bout bout) {
        return Long.parseLong(bout.rig().redis().info("total_commands_processed"));
    }

    private List<Figure> figures(int buckets, Samples samples, double atRest) {
        String with = ", " + buckets + " buckets";
        return List.of(
                Figure.of(name(), "rate" + with, samples.median("rate"), "/s"),
                Figure.of(name(), "CPU of Redis" + with, samples.median("Redis"), "us"),
                Figure.of(name(), "CPU of server" + with, samples.median("server"), "us"),
                Figure.of(name(), "Redis commands at rest" + with, atRest, "/s"));
    }
}
