package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.PullSink;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.bench.rig.Tally;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Consumers that pull over HTTP: pairs of pull and ack, lateness, holds that end, and the cost of consumers that wait. */
public final class PullLine implements BenchLine {
    static final String TOPIC = "pulled";

    private static final String LEFT = "left";
    private static final String RESTING = "resting-";
    private static final int WAITING = 16;
    private static final int LATE_PER_SECOND = 500;
    private static final int LEFT_PER_SECOND = 100;
    private static final Duration TTR = Duration.ofSeconds(1);
    private static final Duration GAP = Duration.ofMillis(10);
    private static final int AT_REST = 1_000;
    private static final int BESIDE_PUSHES = 500;
    private static final int PUSHES_PER_SECOND = 2_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "pull";
    }

    @Override
    public String about() {
        return "consumers over HTTP: pull and ack in batches and one by one beside Redis alone, lateness, holds that end, rest";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        bout.rig().freshServer(settings());
        Samples samples = new Samples();
        bout.measure("", samples, into -> {
            for (PullWork work : PullWork.values()) {
                pairs(bout, into, work);
            }
        });
        PullRaw.measure(bout, samples);
        List<Figure> figures = new ArrayList<>(PullWork.figures(name(), samples));
        figures.addAll(lateness(bout));
        figures.addAll(holdsThatEnd(bout));
        figures.addAll(atRest(bout));
        figures.add(pushes(bout));
        return figures;
    }

    private static Map<String, String> settings() {
        return Map.of(
                "delivery.topics." + TOPIC,
                "pull",
                "delivery.topics." + LEFT,
                "pull",
                "delivery.topics." + RESTING + "*",
                "pull",
                "delivery.policy." + LEFT + ".gaps",
                GAP.toMillis() + "ms");
    }

    /** Adds to the samples the rate, and microseconds of CPU for each pair by process. */
    private static void pairs(Bout bout, Samples samples, PullWork work) throws InterruptedException {
        Rig rig = bout.rig();
        int count = work.messages(bout.scale());
        Backlog backlog = Backlog.load(rig, TOPIC, count);
        backlog.awaitDue();
        backlog.awaitReady(TOPIC, count, PATIENCE);
        CpuClock cpu = rig.storeClock();
        long start = System.nanoTime();
        try (PullSink sink =
                PullSink.open(rig.server().port(), Collections.nCopies(work.consumers(), TOPIC), work.together())) {
            sink.awaitAcked(count, PATIENCE);
            double seconds = (sink.acked().lastNanos() - start) / 1e9;
            work.add(samples, count, seconds, cpu.lap());
        }
        backlog.awaitSettled(PATIENCE);
    }

    private List<Figure> lateness(Bout bout) throws InterruptedException {
        bout.say().accept(LATE_PER_SECOND + " a second");
        List<String> topics = Collections.nCopies(WAITING, TOPIC);
        try (PullSink sink = PullSink.open(bout.rig().server().port(), topics, 10)) {
            CpuClock cpu = bout.rig().storeClock();
            Tally tally = LatenessLine.ours(
                    bout, TOPIC, sink, LATE_PER_SECOND, bout.scale().lateness());
            double micros = cpu.lapTotal() * 1e6 / tally.arrived();
            String at = ", 500/s";
            return List.of(
                    Figure.of(name(), "p50" + at, tally.millisAt(50), "ms"),
                    Figure.of(name(), "p99" + at, tally.millisAt(99), "ms").must(Target.valueAtMost(8)),
                    Figure.of(name(), "max" + at, tally.millisAt(100), "ms"),
                    Figure.of(name(), "early" + at, (double) tally.early(), "messages")
                            .must(Target.valueAtMost(0)),
                    Figure.of(name(), "CPU of all" + at, micros, "us"));
        }
    }

    private List<Figure> holdsThatEnd(Bout bout) throws InterruptedException {
        bout.say().accept("holds that end, " + LEFT_PER_SECOND + " a second");
        List<String> topics = Collections.nCopies(WAITING, LEFT);
        try (PullSink sink = PullSink.openLeaving(bout.rig().server().port(), topics, TTR, GAP)) {
            Tally tally = LatenessLine.ours(
                    bout, LEFT, sink, LEFT_PER_SECOND, bout.scale().lateness());
            return List.of(
                    Figure.of(name(), "p50 after the end of a hold of 1 s", tally.millisAt(50), "ms"),
                    Figure.of(name(), "p99 after the end of a hold of 1 s", tally.millisAt(99), "ms")
                            .must(Target.valueAtMost(50)),
                    Figure.of(name(), "before the end of a hold", (double) tally.early(), "messages")
                            .must(Target.valueAtMost(0)));
        }
    }

    /** The worst case for the server: each consumer waits for a topic of its own. */
    private List<Figure> atRest(Bout bout) throws InterruptedException {
        Rest without = Rest.watch(bout, bout.scale().watch());
        List<Figure> figures = new ArrayList<>();
        PullSink consumers = resting(bout, AT_REST);
        try {
            Rest with = Rest.watch(bout, bout.scale().watch());
            String waiting = String.format(Locale.ROOT, ", %,d consumers wait", AT_REST);
            with.percent()
                    .forEach((part, percent) -> figures.add(Figure.of(name(), "CPU of " + part + waiting, percent, "%")
                            .beside("none waits", without.percent().get(part))));
            figures.add(Figure.of(
                            name(),
                            "CPU of all, above that without" + waiting,
                            with.all() - without.all(),
                            "% of a core")
                    .must(Target.valueAtMost(5)));
            figures.add(Figure.of(name(), "Redis commands" + waiting, with.commands(), "/s")
                    .beside("none waits", without.commands()));
        } finally {
            consumers.close();
        }
        return figures;
    }

    private Figure pushes(Bout bout) throws InterruptedException {
        Samples samples = new Samples();
        for (int run = 0; run <= bout.scale().runs(); run++) {
            bout.say().accept("pushes beside consumers that wait");
            Samples into = run == 0 ? new Samples() : samples;
            into.add("without", push(bout));
            PullSink consumers = resting(bout, BESIDE_PUSHES);
            try {
                TimeUnit.SECONDS.sleep(1);
                into.add("with", push(bout));
            } finally {
                consumers.close();
            }
        }
        return Figure.of(name(), "p99 of pushes, 500 consumers wait", samples.median("with"), "ms")
                .beside("none waits", samples.median("without"))
                .must(Target.ratioAtMost(1.2));
    }

    private static double push(Bout bout) {
        ByteBuffer push = Requests.push(Requests.delayed("accept", AcceptLine.DELAY_MS));
        try (HttpLoad client = new HttpLoad(bout.rig().server().port(), 64)) {
            return client.pace(
                            push::duplicate,
                            PUSHES_PER_SECOND,
                            bout.scale().lateness().dividedBy(2))
                    .clean()
                    .millisAt(99);
        }
    }

    private static PullSink resting(Bout bout, int consumers) {
        List<String> topics =
                IntStream.range(0, consumers).mapToObj(i -> RESTING + i).toList();
        return PullSink.open(bout.rig().server().port(), topics, 1);
    }
}
