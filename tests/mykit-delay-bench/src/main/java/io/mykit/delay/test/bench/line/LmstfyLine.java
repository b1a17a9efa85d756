package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.LmstfySink;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Tally;
import io.mykit.delay.test.server.FreePorts;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** The port that speaks lmstfy's API: publish beside the native push, pairs of consume and ack, lateness, and consumers that wait. */
public final class LmstfyLine implements BenchLine {
    private static final int IN_FLIGHT = 64;
    private static final int WAITING = 16;
    private static final int WORKERS = 4;
    private static final int LATE_PER_SECOND = 500;
    private static final int AT_REST = 1_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String PATH = "/api/bench/";
    private static final String TOPIC = "lm/bench/";
    private static final String JOBS = "jobs";
    private static final String ACCEPT = "accept";

    /** How consumers work off jobs that are ready. */
    private enum Work {
        ONE_BY_ONE("one by one", 32, 1, 0, 5, 2_000),
        BATCHES("by count=100", 8, 100, 32, 1, 8_000);

        private final String text;
        private final int consumers;
        /** Jobs of one consume. */
        private final int count;
        /** Of each consumer. */
        private final int workers;
        /** The divisor of the jobs of a run. */
        private final int share;

        private final int goal;

        Work(String text, int consumers, int count, int workers, int share, int goal) {
            this.text = text;
            this.consumers = consumers;
            this.count = count;
            this.workers = workers;
            this.share = share;
            this.goal = goal;
        }

        int jobs(Scale scale) {
            return scale.drain() / share / BatchLine.SIZE * BatchLine.SIZE;
        }
    }

    @Override
    public String name() {
        return "lmstfy";
    }

    @Override
    public String about() {
        return "the port of lmstfy: publishes beside POST /push in the same run, consume and ack, lateness, rest";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        int port = FreePorts.next();
        bout.rig().freshServer(Map.of("lmstfy.port", Integer.toString(port), "lmstfy.open", "true"));
        Samples samples = new Samples();
        publishes(bout, port, samples);
        bout.measure("consume and ack, ", samples, into -> {
            for (Work work : Work.values()) {
                pairs(bout, port, into, work);
            }
        });
        List<Figure> figures = new ArrayList<>(figures(samples));
        figures.addAll(lateness(bout, port, WORKERS));
        figures.addAll(lateness(bout, port, 0));
        figures.addAll(atRest(bout, port));
        return figures;
    }

    private static void publishes(Bout bout, int port, Samples samples) {
        ByteBuffer publish = Requests.publish(
                PATH + ACCEPT, Duration.ofMillis(AcceptLine.DELAY_MS).toSeconds());
        ByteBuffer push = Requests.push(Requests.delayed(TOPIC + ACCEPT, AcceptLine.DELAY_MS));
        try (HttpLoad theirs = new HttpLoad(port, IN_FLIGHT);
                HttpLoad ours = new HttpLoad(bout.rig().server().port(), IN_FLIGHT)) {
            bout.say().accept("publishes, warming up");
            theirs.saturate(publish::duplicate, bout.scale().warmUp()).clean();
            ours.saturate(push::duplicate, bout.scale().warmUp()).clean();
            for (int run = 1; run <= bout.scale().runs(); run++) {
                bout.say()
                        .accept("publishes, run " + run + " of " + bout.scale().runs());
                CpuClock cpu = bout.rig().storeClock();
                note(
                        samples,
                        "lmstfy",
                        theirs.saturate(publish::duplicate, bout.scale().load()),
                        cpu);
                note(
                        samples,
                        "native",
                        ours.saturate(push::duplicate, bout.scale().load()),
                        cpu);
            }
        }
    }

    private static void note(Samples samples, String way, Load load, CpuClock cpu) {
        samples.add("rate " + way, load.clean().rate());
        samples.add("p50 " + way, load.millisAt(50));
        samples.add("p99 " + way, load.millisAt(99));
        samples.add("server " + way, cpu.lap().get("server") * 1e6 / load.answers());
    }

    private static void pairs(Bout bout, int port, Samples samples, Work work) throws InterruptedException {
        int count = work.jobs(bout.scale());
        Backlog backlog = Backlog.load(bout.rig(), TOPIC + JOBS, count);
        backlog.awaitDue();
        backlog.awaitReady(TOPIC + JOBS, count, PATIENCE);
        CpuClock cpu = bout.rig().storeClock();
        long start = System.nanoTime();
        try (LmstfySink sink = consumers(port, work.consumers, work.count, work.workers)) {
            sink.awaitAcked(count, PATIENCE);
            samples.add("rate " + work, count * 1e9 / (sink.acked().lastNanos() - start));
            samples.add("all " + work, cpu.lapTotal() * 1e6 / count);
        }
        backlog.awaitSettled(PATIENCE);
    }

    private static LmstfySink consumers(int port, int consumers, int count, int workers) {
        return LmstfySink.open(port, Collections.nCopies(consumers, PATH + JOBS), count, workers);
    }

    private List<Figure> figures(Samples samples) {
        List<Figure> figures = new ArrayList<>();
        figures.add(figure("publish", samples.median("rate lmstfy"), "/s")
                .beside("POST /push", samples.median("rate native"))
                .must(Target.ratioAtLeast(0.8)));
        for (String percentile : List.of("p50", "p99")) {
            figures.add(figure(percentile + " of a publish", samples.median(percentile + " lmstfy"), "ms")
                    .beside("POST /push", samples.median(percentile + " native")));
        }
        figures.add(figure("CPU of server for a publish", samples.median("server lmstfy"), "us")
                .beside("POST /push", samples.median("server native")));
        for (Work work : Work.values()) {
            figures.add(figure("consume + ack, " + work.text, samples.median("rate " + work), "/s")
                    .must(Target.valueAtLeast(work.goal)));
            figures.add(figure("CPU of all, " + work.text, samples.median("all " + work), "us"));
        }
        return figures;
    }

    private List<Figure> lateness(Bout bout, int port, int workers) throws InterruptedException {
        String at = workers > 0 ? ", 500/s" : ", 500/s, no workers";
        bout.say().accept(LATE_PER_SECOND + " a second, " + workers + " workers");
        try (LmstfySink sink = consumers(port, WAITING, 1, workers);
                HttpLoad client = new HttpLoad(bout.rig().server().port(), IN_FLIGHT)) {
            AtomicLong number = new AtomicLong();
            LatenessLine.warmUp(bout, "", round -> arrivals(bout, sink, client, number, round));
            Tally tally = arrivals(bout, sink, client, number, bout.scale().lateness());
            Figure p99 = figure("p99" + at, tally.millisAt(99), "ms");
            return List.of(
                    figure("p50" + at, tally.millisAt(50), "ms"),
                    workers > 0 ? p99.must(Target.valueAtMost(10)) : p99,
                    figure("max" + at, tally.millisAt(100), "ms"),
                    figure("early" + at, (double) tally.early(), "messages").must(Target.valueAtMost(0)));
        }
    }

    private static Tally arrivals(Bout bout, LmstfySink sink, HttpLoad client, AtomicLong number, Duration time)
            throws InterruptedException {
        Tally tally = sink.restart();
        Load load = client.pace(
                        () -> {
                            long dueMs = Tally.nowMicros() / 1000
                                    + bout.random().nextInt(LatenessLine.MIN_DELAY_MS, LatenessLine.MAX_DELAY_MS + 1);
                            String id = LmstfySink.id(dueMs, number.getAndIncrement());
                            return Requests.push(Requests.named(TOPIC + JOBS, id, dueMs));
                        },
                        LATE_PER_SECOND,
                        time)
                .clean();
        tally.await(load.answers(), PATIENCE);
        return tally;
    }

    /** The worst case for the server: each consumer waits for a queue of its own. */
    private List<Figure> atRest(Bout bout, int port) throws InterruptedException {
        Rest without = Rest.watch(bout, bout.scale().watch());
        List<String> paths =
                IntStream.range(0, AT_REST).mapToObj(i -> PATH + "resting-" + i).toList();
        LmstfySink consumers = LmstfySink.open(port, paths, 1, 0);
        try {
            // The first waits are not what a consumer costs that waits.
            TimeUnit.SECONDS.sleep(1);
            Rest with = Rest.watch(bout, bout.scale().watch());
            String waiting = String.format(Locale.ROOT, ", %,d consumers wait", AT_REST);
            return List.of(
                    figure("CPU of all" + waiting, with.all(), "% of a core").beside("none waits", without.all()),
                    figure("CPU of all, above that without" + waiting, with.all() - without.all(), "% of a core")
                            .must(Target.valueAtMost(5)),
                    figure("Redis commands" + waiting, with.commands(), "/s").beside("none waits", without.commands()));
        } finally {
            consumers.close();
        }
    }

    private Figure figure(String what, double value, String unit) {
        return Figure.of(name(), what, value, unit);
    }
}
