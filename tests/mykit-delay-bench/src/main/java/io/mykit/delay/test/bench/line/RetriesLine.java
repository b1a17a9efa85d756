package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.bench.rig.Tally;
import io.mykit.delay.test.bench.rig.WebhookSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The cost of an attempt that fails, and of very many messages that wait for their next attempt. */
public final class RetriesLine implements BenchLine {
    private static final String DELIVERED = "delivered";
    private static final String FAILING = "failing";
    private static final int WELL = 204;
    private static final int BROKEN = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "retries";
    }

    @Override
    public String about() {
        return "failed attempts beside successful ones over HTTP; a server at rest with 100,000 between two attempts";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        Rig rig = bout.rig();
        int runs = bout.scale().runs();
        int count = bout.scale().drain() / (runs + 1) / BatchLine.SIZE * BatchLine.SIZE;
        try (WebhookSink sink = new WebhookSink()) {
            rig.freshServer(settings(sink));
            bout.say().accept("warming up");
            // As many deliveries before the first look at the server at rest, whose compilers clean up for a while.
            for (int run = 0; run <= runs; run++) {
                succeed(rig, new Samples(), sink, count);
            }
            int waiting = bout.scale().waiting();
            bout.say().accept("pushing " + waiting);
            Backlog.push(rig, waiting, Requests.delayed("accept", AcceptLine.DELAY_MS));
            Rest before = Rest.watch(bout, bout.scale().watch());
            Samples samples = new Samples();
            bout.measure("", samples, into -> {
                succeed(rig, into, sink, count);
                fail(rig, into, sink, count);
            });
            long between = rig.buckets().waiting(FAILING);
            Rest after = Rest.watch(bout, bout.scale().watch());
            List<Figure> figures = new ArrayList<>(attempts(samples));
            figures.addAll(atRest(after, before, between));
            return figures;
        }
    }

    private static Map<String, String> settings(WebhookSink sink) {
        return Map.of(
                "webhook.url",
                sink.url(),
                "delivery.topics." + DELIVERED,
                "webhook",
                "delivery.topics." + FAILING,
                "webhook",
                // Longer than the line.
                "delivery.policy." + FAILING + ".gaps",
                "2h");
    }

    private static void succeed(Rig rig, Samples samples, WebhookSink sink, int count) throws InterruptedException {
        sink.answer(WELL);
        Backlog backlog = Backlog.load(rig, DELIVERED, count);
        attempt(rig, samples, sink, backlog, count, () -> backlog.awaitSettled(PATIENCE), "");
    }

    private static void fail(Rig rig, Samples samples, WebhookSink sink, int count) throws InterruptedException {
        sink.answer(BROKEN);
        long failed = rig.buckets().waiting(FAILING);
        Backlog backlog = Backlog.load(rig, FAILING, count);
        attempt(
                rig,
                samples,
                sink,
                backlog,
                count,
                () -> rig.buckets().awaitWaiting(FAILING, failed + count, PATIENCE),
                " failed");
    }

    /** Adds to the samples the {@code rate}, and microseconds of CPU for each by process. */
    private static void attempt(
            Rig rig, Samples samples, WebhookSink sink, Backlog backlog, int count, Settling settling, String suffix)
            throws InterruptedException {
        Tally tally = sink.restart();
        backlog.awaitDue();
        CpuClock cpu = rig.storeClock();
        long start = System.nanoTime();
        // Each message has left the waiting set when it arrives, so the messages that wait afterwards have failed.
        tally.await(count, PATIENCE);
        settling.await();
        samples.add("rate" + suffix, count * 1e9 / (System.nanoTime() - start));
        cpu.lap().forEach((part, seconds) -> samples.add(part + suffix, seconds * 1e6 / count));
    }

    private List<Figure> attempts(Samples samples) {
        String well = "a successful attempt";
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.of(name(), "failed attempts, all due at once", samples.median("rate failed"), "/s")
                .beside("successful attempts", samples.median("rate")));
        for (String part : List.of("server", "Redis", "database")) {
            figures.add(Figure.of(
                            name(), "CPU of " + part + " for a failed attempt", samples.median(part + " failed"), "us")
                    .beside(well, samples.median(part)));
        }
        return figures;
    }

    private List<Figure> atRest(Rest after, Rest before, long between) {
        String none = "none failed";
        String with = String.format(Locale.ROOT, ", %,d between two attempts", between);
        List<Figure> figures = new ArrayList<>();
        after.percent()
                .forEach((part, percent) -> figures.add(Figure.of(name(), "CPU of " + part + with, percent, "%")
                        .beside(none, before.percent().get(part))));
        figures.add(Figure.of(name(), "CPU of all" + with, after.all(), "% of a core")
                .beside(none, before.all())
                .must(Target.ratioAtMost(1.2)));
        figures.add(Figure.of(name(), "Redis commands" + with, after.commands(), "/s")
                .beside(none, before.commands())
                .must(Target.ratioAtMost(1.2)));
        figures.add(
                Figure.of(name(), "statements" + with, after.statements(), "/s").beside(none, before.statements()));
        return figures;
    }

    /** Waits until the outcome of each attempt is in both stores. */
    private interface Settling {
        void await() throws InterruptedException;
    }
}
