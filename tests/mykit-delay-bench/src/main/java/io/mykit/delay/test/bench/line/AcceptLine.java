package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.RawHttpServer;
import io.mykit.delay.test.bench.rig.RawIndex;
import io.mykit.delay.test.bench.rig.RawRows;
import io.mykit.delay.test.bench.rig.Requests;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** {@code POST /push}, one message a request. */
public final class AcceptLine implements BenchLine {
    static final long DELAY_MS = Duration.ofHours(1).toMillis();
    static final List<Integer> CONNECTIONS = List.of(64, 256);

    private static final double SATURATION = 0.7;

    @Override
    public String name() {
        return "accept";
    }

    @Override
    public String about() {
        return "POST /push, one message a request, 64 and 256 connections, beside HTTP, JDBC and Redis without us";
    }

    @Override
    public List<Figure> measure(Bout bout) {
        Samples samples = new Samples();
        Duration load = bout.scale().load();
        int port = bout.rig().freshServer().port();
        try (RawHttpServer http = bout.rig().startRawHttp();
                RawRows rows =
                        new RawRows(bout.rig().databaseServer(), bout.rig().database());
                RawIndex index = new RawIndex(bout.rig().redis())) {
            bout.say().accept("warming up");
            saturate(port, 64, bout.scale().warmUp());
            saturate(http.port(), 64, bout.scale().warmUp().dividedBy(2));
            rows.insert(64, bout.scale().warmUp().dividedBy(4));
            index.add(64, bout.scale().warmUp().dividedBy(4));
            for (int run = 1; run <= bout.scale().runs(); run++) {
                bout.say().accept("run " + run + " of " + bout.scale().runs());
                for (int connections : CONNECTIONS) {
                    ours(bout, samples, port, connections);
                }
                raw(bout, samples, http, rows, index, load);
            }
            double paced = SATURATION * samples.median("rate 64");
            bout.say().accept("paced at " + Math.round(paced) + " a second");
            for (int run = 1; run <= bout.scale().runs(); run++) {
                paced(samples, "ours", port, paced, load.multipliedBy(2));
                paced(samples, "raw", http.port(), paced, load);
            }
        }
        return figures(samples);
    }

    private static void paced(Samples samples, String whose, int port, double perSecond, Duration time) {
        try (HttpLoad client = new HttpLoad(port, 256)) {
            Load calm = client.pace(request(), perSecond, time).clean();
            samples.add("paced p50 " + whose, calm.millisAt(50));
            samples.add("paced p99 " + whose, calm.millisAt(99));
        }
    }

    private static void ours(Bout bout, Samples samples, int port, int connections) {
        CpuClock cpu = bout.rig().storeClock();
        Load load = saturate(port, connections, bout.scale().load());
        Map<String, Double> spent = cpu.lap();
        samples.add("rate " + connections, load.rate());
        samples.add("p50 " + connections, load.millisAt(50));
        samples.add("p99 " + connections, load.millisAt(99));
        spent.forEach((part, seconds) -> samples.add(part + " " + connections, seconds * 1e6 / load.answers()));
        double all = CpuClock.total(spent);
        samples.add("all " + connections, all * 1e6 / load.answers());
    }

    private static void raw(
            Bout bout, Samples samples, RawHttpServer http, RawRows rows, RawIndex index, Duration time) {
        CpuClock server = new CpuClock(Map.of("server", http.pid()));
        Load load = saturate(http.port(), 64, time);
        samples.add("http cpu", server.lapTotal() * 1e6 / load.answers());
        samples.add("http rate", load.rate());
        for (int perCommit : List.of(64, 512)) {
            CpuClock cpu = bout.rig().rawClock(bout.rig().databaseServer().pid());
            Load inserted = rows.insert(perCommit, time.dividedBy(2));
            samples.add("jdbc rate " + perCommit, inserted.rate());
            samples.add("jdbc p50 " + perCommit, inserted.millisAt(50));
            samples.add("jdbc p99 " + perCommit, inserted.millisAt(99));
            samples.add("jdbc cpu " + perCommit, cpu.lapTotal() * 1e6 / inserted.answers());
        }
        CpuClock cpu = bout.rig().rawClock(bout.rig().redis().pid());
        long start = System.nanoTime();
        long messages = index.add(64, time.dividedBy(2));
        samples.add("redis rate", messages * 1e9 / (System.nanoTime() - start));
        samples.add("redis cpu", cpu.lapTotal() * 1e6 / messages);
        index.clear();
    }

    private List<Figure> figures(Samples samples) {
        List<Figure> figures = new ArrayList<>();
        String without = "HTTP without a store";
        for (int connections : CONNECTIONS) {
            String with = ", " + connections + " connections";
            figures.add(figure("rate" + with, samples.median("rate " + connections), "/s")
                    .beside(without, samples.median("http rate")));
            figures.add(figure("p50" + with, samples.median("p50 " + connections), "ms"));
            figures.add(figure("p99" + with, samples.median("p99 " + connections), "ms"));
            for (String part : List.of("server", "Redis", "database")) {
                figures.add(figure("CPU of " + part + with, samples.median(part + " " + connections), "us"));
            }
            // As many a commit as can come together: all that wait.
            int perCommit = connections == 64 ? 64 : 512;
            double raw =
                    samples.median("http cpu") + samples.median("jdbc cpu " + perCommit) + samples.median("redis cpu");
            figures.add(figure("CPU of all" + with, samples.median("all " + connections), "us")
                    .beside("HTTP + JDBC at " + perCommit + " + Redis", raw)
                    .must(Target.ratioAtMost(1.2)));
        }
        figures.add(figure("p50 at 70 % of saturation", samples.median("paced p50 ours"), "ms")
                .beside(without, samples.median("paced p50 raw")));
        figures.add(figure("p99 at 70 % of saturation", samples.median("paced p99 ours"), "ms")
                .beside(without, samples.median("paced p99 raw"))
                .must(Target.valueAtMost(12)));
        figures.add(figure("raw: CPU of HTTP without a store", samples.median("http cpu"), "us"));
        for (int perCommit : List.of(64, 512)) {
            figures.add(
                    figure("raw: JDBC, " + perCommit + " a commit", samples.median("jdbc rate " + perCommit), "/s"));
            for (String time : List.of("p50", "p99")) {
                figures.add(figure(
                        "raw: " + time + " of JDBC, " + perCommit + " a commit",
                        samples.median("jdbc " + time + " " + perCommit),
                        "ms"));
            }
            figures.add(figure(
                    "raw: CPU of JDBC, " + perCommit + " a commit", samples.median("jdbc cpu " + perCommit), "us"));
        }
        figures.add(figure("raw: Redis, HSET + ZADD", samples.median("redis rate"), "/s"));
        figures.add(figure("raw: CPU of Redis, HSET + ZADD", samples.median("redis cpu"), "us"));
        return figures;
    }

    private Figure figure(String what, double value, String unit) {
        return Figure.of(name(), what, value, unit);
    }

    static Load saturate(int port, int connections, Duration time) {
        try (HttpLoad client = new HttpLoad(port, connections)) {
            return client.saturate(request(), time).clean();
        }
    }

    private static Supplier<ByteBuffer> request() {
        ByteBuffer push = Requests.push(Requests.delayed("accept", DELAY_MS));
        return push::duplicate;
    }
}
