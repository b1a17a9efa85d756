package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.RawCallbacks;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Tally;
import io.mykit.delay.test.bench.rig.WebhookSink;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Messages that arrive as HTTP requests: all due at once, at an ordinary rate, and beside receivers that hang. */
public final class CallbacksLine implements BenchLine {
    /** As many as the channel has for a receiver by default. */
    private static final int CONNECTIONS = 32;

    private static final String TOPIC = "callbacks";
    private static final int PER_SECOND = 500;
    /** Of so many messages one goes to a receiver that is slow, and one to an address where nothing listens. */
    private static final int SICK = 50;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "callbacks";
    }

    @Override
    public String about() {
        return "to a local receiver over HTTP: all due at once beside a raw client, and 500/s with and without sick receivers";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        try (WebhookSink sink = new WebhookSink();
                RawCallbacks raw = new RawCallbacks(sink.port(), CONNECTIONS)) {
            bout.rig()
                    .freshServer(Map.of(
                            "delivery.topics." + TOPIC,
                            "webhook",
                            "webhook.url",
                            sink.url(),
                            "webhook.targets",
                            "http://127.0.0.0/8"));
            Samples samples = new Samples();
            int count = bout.scale().drain() / 4;
            bout.measure("", samples, into -> {
                ours(bout, into, sink, count);
                raw(into, sink, raw, count);
            });
            bout.say().accept(PER_SECOND + " a second");
            Tally alone = paced(bout, sink, false);
            bout.say().accept(PER_SECOND + " a second, beside sick receivers");
            Tally beside = paced(bout, sink, true);
            return figures(samples, alone, beside);
        }
    }

    private static void ours(Bout bout, Samples samples, WebhookSink sink, int count) throws InterruptedException {
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

    private static void raw(Samples samples, WebhookSink sink, RawCallbacks client, int count)
            throws InterruptedException {
        Tally tally = sink.restart();
        long start = System.nanoTime();
        client.send(count);
        tally.await(count, PATIENCE);
        samples.add("raw", count * 1e9 / (tally.lastNanos() - start));
    }

    /** Counts the arrivals at the healthy receiver only. */
    private static Tally paced(Bout bout, WebhookSink sink, boolean sick) throws InterruptedException {
        Tally tally = sink.restart();
        int[] healthy = {0};
        try (HttpLoad client = new HttpLoad(bout.rig().server().port(), CONNECTIONS)) {
            Load load = client.pace(
                            () -> push(bout.random(), sink.port(), sick, healthy),
                            PER_SECOND,
                            bout.scale().lateness())
                    .clean();
            tally.await(sick ? healthy[0] : load.answers(), PATIENCE);
        }
        return tally;
    }

    private static ByteBuffer push(Random random, int port, boolean sick, int[] healthy) {
        int dice = sick ? random.nextInt(SICK) : SICK;
        int delayMs = random.nextInt(LatenessLine.MIN_DELAY_MS, LatenessLine.MAX_DELAY_MS + 1);
        String item = Requests.delayed(TOPIC, delayMs);
        if (dice > 1) {
            healthy[0]++;
            return Requests.push(item);
        }
        // Other loopback addresses are other receivers.
        String host = dice == 0 ? "127.0.0.2" : WebhookSink.SLOW;
        String url = "http://" + host + ":" + port + "/";
        String target = ",\"retry\":{\"maxAttempts\":2,\"interval\":1000},\"target\":{\"url\":\"" + url + "\"}}";
        return Requests.push(item.substring(0, item.length() - 1) + target);
    }

    private List<Figure> figures(Samples samples, Tally alone, Tally beside) {
        double rate = samples.median("rate");
        return List.of(
                Figure.of(name(), "rate, all due at once", rate, "/s")
                        .beside("a raw client", samples.median("raw"))
                        .must(rate >= 5_000 ? Target.valueAtLeast(5_000) : Target.ratioAtLeast(0.5)),
                Figure.of(name(), "CPU of server", samples.median("server"), "us"),
                Figure.of(name(), "p50, 500/s", alone.millisAt(50), "ms"),
                Figure.of(name(), "p99, 500/s", alone.millisAt(99), "ms").must(Target.valueAtMost(20)),
                Figure.of(name(), "p99, 500/s, beside a dead and a slow receiver", beside.millisAt(99), "ms")
                        .beside("without them", alone.millisAt(99))
                        .must(Target.ratioAtMost(1.2)),
                Figure.of(name(), "early", (double) (alone.early() + beside.early()), "messages")
                        .must(Target.valueAtMost(0)));
    }
}
