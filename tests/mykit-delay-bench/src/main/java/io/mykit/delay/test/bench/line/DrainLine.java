package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.RawIndex;
import io.mykit.delay.test.bench.rig.RawRows;
import io.mykit.delay.test.bench.rig.Sink;
import io.mykit.delay.test.bench.rig.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Very many messages that fall due in the same millisecond, until the last is in a consumer's hands. */
public final class DrainLine implements BenchLine {
    private static final int BATCH = 100;
    /** As the server does unless told otherwise. */
    private static final int ROWS = 200;

    private static final int WARM_UP = 60_000;
    private static final int SHORT_WARM_UP = 4_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public String about() {
        return "all due in the same millisecond, to both brokers, beside batches and transactions of 100 sent raw";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        bout.rig().freshServer();
        Samples stores = new Samples();
        rawStores(bout, stores);
        List<Figure> figures = new ArrayList<>();
        for (Broker broker : bout.rig().brokers()) {
            figures.addAll(to(broker, bout, stores));
        }
        figures.add(Figure.of(name(), "raw: CPU of JDBC, delivered rows", stores.median("jdbc"), "us"));
        figures.add(Figure.of(name(), "raw: CPU of Redis, delivery's moves", stores.median("redis"), "us"));
        return figures;
    }

    /** The figures of one broker, to whose topic the server that runs delivers. */
    List<Figure> to(Broker broker, Bout bout, Samples stores) throws Exception {
        Samples samples = new Samples();
        int count = bout.scale().drain();
        String topic = broker.topic(Broker.Use.DRAIN);
        try (Sink sink = broker.sink(topic);
                Broker.Producer producer = broker.producer(topic)) {
            bout.say().accept(broker.name() + ", warming up");
            raw(broker, new Samples(), sink, producer, warmUp(bout));
            warmUp(broker, bout, sink);
            for (int run = 1; run <= bout.scale().runs(); run++) {
                bout.say()
                        .accept(broker.name() + ", run " + run + " of "
                                + bout.scale().runs());
                ours(broker, bout, samples, sink, count);
                raw(broker, samples, sink, producer, count);
            }
        }
        return figures(broker, samples, stores.median("jdbc") + stores.median("redis"));
    }

    /** Until the compilers of all that take part have seen enough. */
    static void warmUp(Broker broker, Bout bout, Sink sink) throws Exception {
        for (int i = 0; i < (bout.scale().thorough() ? 3 : 1); i++) {
            ours(broker, bout, new Samples(), sink, warmUp(bout));
        }
    }

    private static int warmUp(Bout bout) {
        return bout.scale().thorough() ? WARM_UP : SHORT_WARM_UP;
    }

    /** Pushes so many and adds to the samples the {@code rate}, and microseconds of CPU for each by process. */
    static void ours(Broker broker, Bout bout, Samples samples, Sink sink, int count) throws Exception {
        Tally tally = sink.restart();
        Backlog backlog = Backlog.load(bout.rig(), broker.topic(Broker.Use.DRAIN), count);
        backlog.awaitDue();
        CpuClock cpu = bout.rig().everybodysClock();
        long start = System.nanoTime();
        tally.await(count, PATIENCE);
        samples.add("rate", count * 1e9 / (tally.lastNanos() - start));
        // The remaining work is part of the cost as well.
        backlog.awaitSettled(PATIENCE);
        Map<String, Double> spent = cpu.lap();
        spent.forEach((part, seconds) -> samples.add(part, seconds * 1e6 / count));
        double own = spent.get("server") + spent.get("Redis") + spent.get("database");
        samples.add("own", own * 1e6 / count);
        if (tally.early() > 0) {
            throw new IllegalStateException(tally.early() + " messages were early");
        }
    }

    private static void raw(Broker broker, Samples samples, Sink sink, Broker.Producer producer, int count)
            throws Exception {
        Tally tally = sink.restart();
        CpuClock broken = new CpuClock(Map.of("broker", broker.pid()));
        long start = System.nanoTime();
        for (int sent = 0; sent < count; sent += BATCH) {
            producer.send(Collections.nCopies(BATCH, Tally.nowMicros()));
        }
        tally.await(count, PATIENCE);
        samples.add("raw rate", count * 1e9 / (tally.lastNanos() - start));
        samples.add("raw broker", broken.lapTotal() * 1e6 / count);
        // This topic has no consumer, so this JVM's CPU is the producer's alone.
        try (Broker.Producer unheard = broker.producer("bench-unheard")) {
            CpuClock client =
                    new CpuClock(Map.of("client", ProcessHandle.current().pid()));
            for (int sent = 0; sent < count; sent += BATCH) {
                unheard.send(Collections.nCopies(BATCH, Tally.nowMicros()));
            }
            samples.add("raw client", client.lapTotal() * 1e6 / count);
        }
    }

    /** The writes and moves of a delivery in the two stores. */
    static void rawStores(Bout bout, Samples samples) {
        int batches = Math.max(50, bout.scale().drain() / ROWS);
        try (RawRows rows = new RawRows(bout.rig().databaseServer(), bout.rig().database());
                RawIndex index = new RawIndex(bout.rig().redis())) {
            for (int run = 0; run <= bout.scale().runs(); run++) {
                List<List<String>> inserted = new ArrayList<>();
                List<List<byte[]>> added = new ArrayList<>();
                for (int i = 0; i < batches; i++) {
                    inserted.add(rows.insert(ROWS));
                    added.add(index.add(ROWS));
                }
                CpuClock jdbc = bout.rig().rawClock(bout.rig().databaseServer().pid());
                inserted.forEach(rows::finish);
                double jdbcMicros = jdbc.lapTotal() * 1e6 / (batches * ROWS);
                CpuClock redis = bout.rig().rawClock(bout.rig().redis().pid());
                added.forEach(index::deliver);
                double redisMicros = redis.lapTotal() * 1e6 / (batches * ROWS);
                // The first time is for the compiler.
                if (run > 0) {
                    samples.add("jdbc", jdbcMicros);
                    samples.add("redis", redisMicros);
                }
            }
        }
    }

    private List<Figure> figures(Broker broker, Samples samples, double rawStores) {
        String to = " to " + broker.name();
        double raw = rawStores + samples.median("raw client");
        return List.of(
                Figure.of(name(), "rate" + to, samples.median("rate"), "/s")
                        .beside("sent raw", samples.median("raw rate")),
                Figure.of(name(), "CPU of server" + to, samples.median("server"), "us"),
                Figure.of(name(), "CPU of Redis" + to, samples.median("Redis"), "us"),
                Figure.of(name(), "CPU of database" + to, samples.median("database"), "us")
                        .must(Target.valueAtMost(25)),
                Figure.of(name(), "CPU of " + broker.name(), samples.median(broker.name()), "us")
                        .beside("sent raw", samples.median("raw broker")),
                Figure.of(name(), "CPU of all but the broker" + to, samples.median("own"), "us")
                        .beside("producer + JDBC + Redis", raw)
                        .must(Target.ratioAtMost(1.5)),
                Figure.of(name(), "raw: CPU of a producer" + to, samples.median("raw client"), "us"));
    }
}
