package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.GrpcSink;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.RawCalls;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Tally;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Messages that arrive as gRPC calls: all due at once, and at an ordinary rate. */
public final class GrpcLine implements BenchLine {
    /** As many as the channel has for a receiver by default. */
    private static final int CONCURRENT = 32;

    private static final String TOPIC = "calls";
    private static final int PER_SECOND = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "grpc";
    }

    @Override
    public String about() {
        return "to a local receiver over gRPC: all due at once beside a raw client, and 500/s";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        try (GrpcSink sink = new GrpcSink();
                RawCalls raw = new RawCalls(sink.host(), CONCURRENT)) {
            bout.rig()
                    .freshServer(Map.of(
                            "delivery.topics." + TOPIC,
                            "grpc",
                            "grpc.host",
                            sink.host(),
                            "grpc.service",
                            "bench.Sink",
                            "grpc.method",
                            "Take"));
            Samples samples = new Samples();
            int count = bout.scale().drain() / 4;
            bout.measure("", samples, into -> {
                ours(bout, into, sink, count);
                raw(into, sink, raw, count);
            });
            bout.say().accept(PER_SECOND + " a second");
            return figures(samples, paced(bout, sink));
        }
    }

    private static void ours(Bout bout, Samples samples, GrpcSink sink, int count) throws InterruptedException {
        Tally tally = sink.restart();
        Backlog backlog = Backlog.load(bout.rig(), TOPIC, count);
        backlog.awaitDue();
        CpuClock cpu = bout.rig().everybodysClock();
        long start = System.nanoTime();
        tally.await(count, PATIENCE);
        samples.add("rate", count * 1e9 / (tally.lastNanos() - start));
        backlog.awaitSettled(PATIENCE);
        samples.add("server", cpu.lap().get("server") * 1e6 / count);
    }

    private static void raw(Samples samples, GrpcSink sink, RawCalls client, int count) throws InterruptedException {
        Tally tally = sink.restart();
        long start = System.nanoTime();
        client.send(count);
        tally.await(count, PATIENCE);
        samples.add("raw", count * 1e9 / (tally.lastNanos() - start));
    }

    private static Tally paced(Bout bout, GrpcSink sink) throws InterruptedException {
        Tally tally = sink.restart();
        try (HttpLoad client = new HttpLoad(bout.rig().server().port(), CONCURRENT)) {
            Load load = client.pace(
                            () -> Requests.push(Requests.delayed(
                                    TOPIC,
                                    bout.random().nextInt(LatenessLine.MIN_DELAY_MS, LatenessLine.MAX_DELAY_MS + 1))),
                            PER_SECOND,
                            bout.scale().lateness())
                    .clean();
            tally.await(load.answers(), PATIENCE);
        }
        return tally;
    }

    private List<Figure> figures(Samples samples, Tally paced) {
        double rate = samples.median("rate");
        return List.of(
                Figure.of(name(), "rate, all due at once", rate, "/s")
                        .beside("a raw client", samples.median("raw"))
                        .must(rate >= 5_000 ? Target.valueAtLeast(5_000) : Target.ratioAtLeast(0.5)),
                Figure.of(name(), "CPU of server", samples.median("server"), "us"),
                Figure.of(name(), "p50, 500/s", paced.millisAt(50), "ms"),
                Figure.of(name(), "p99, 500/s", paced.millisAt(99), "ms").must(Target.valueAtMost(20)),
                Figure.of(name(), "early", (double) paced.early(), "messages").must(Target.valueAtMost(0)));
    }
}
