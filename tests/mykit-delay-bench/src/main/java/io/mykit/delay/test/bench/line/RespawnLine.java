package io.mykit.delay.test.bench.line;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.bench.rig.Tally;
import io.mykit.delay.test.bench.rig.WebhookSink;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The respawn of very many dead letters: its rate, and its effect on producers. */
public final class RespawnLine implements BenchLine {
    private static final String TOPIC = "dead";
    private static final int GONE = 410;
    private static final int WELL = 204;
    private static final int PER_SECOND = 1_000;
    private static final int CONNECTIONS = 64;
    private static final ByteBuffer PUSH = Requests.push(Requests.delayed("accept", AcceptLine.DELAY_MS));
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "respawn";
    }

    @Override
    public String about() {
        return "100,000 dead letters put back at once, and at 1,000/s beside 1,000 pushes a second";
    }

    @Override
    public List<Figure> measure(Bout bout) throws InterruptedException {
        Rig rig = bout.rig();
        int count = bout.scale().drain();
        Samples samples = new Samples();
        try (WebhookSink sink = new WebhookSink()) {
            sink.answer(GONE);
            int port = rig.freshServer(Map.of("webhook.url", sink.url(), "delivery.topics." + TOPIC, "webhook"))
                    .port();
            bout.say().accept("making " + count + " dead letters");
            samples.add("push rate", die(rig, count));
            for (int run = 1; run <= bout.scale().runs(); run++) {
                bout.say()
                        .accept("all at once, run " + run + " of "
                                + bout.scale().runs());
                JSONObject done = respawn(port, "", count);
                samples.add("rate", count * 1000.0 / done.getLongValue("milliseconds"));
                // The receiver refuses them again.
                rig.buckets().awaitPooled(0, PATIENCE);
            }
            sink.answer(WELL);
            try (HttpLoad client = new HttpLoad(port, CONNECTIONS)) {
                client.pace(PUSH::duplicate, PER_SECOND, bout.scale().warmUp()).clean();
                calm(bout, client, samples);
                ordinary(bout, client, sink, samples);
                respawned(bout, client, sink, samples, count);
                calm(bout, client, samples);
            }
        }
        return figures(samples, count);
    }

    /** Pushes messages that the receiver refuses at once; returns how many were pushed a second. */
    private static double die(Rig rig, int count) throws InterruptedException {
        Load load = Backlog.pushEach(rig, count, () -> Requests.delayed(TOPIC, 0));
        rig.buckets().awaitPooled(0, PATIENCE);
        return load.rate() * BatchLine.SIZE;
    }

    /** Pushes alone: before and after, so that an effect of time alone falls on both sides. */
    private static void calm(Bout bout, HttpLoad client, Samples samples) {
        bout.say().accept("1,000 pushes a second");
        add(
                samples,
                "calm",
                client.pace(PUSH::duplicate, PER_SECOND, bout.scale().lateness()));
    }

    /** Pushes beside deliveries that have nothing to do with a respawn. */
    private static void ordinary(Bout bout, HttpLoad client, WebhookSink sink, Samples samples)
            throws InterruptedException {
        bout.say().accept("1,000 pushes a second beside as many ordinary deliveries");
        Tally tally = sink.restart();
        int count = (int) bout.scale().lateness().toSeconds() * PER_SECOND;
        Backlog.loadPaced(bout.rig(), TOPIC, count, PER_SECOND).awaitDue();
        add(samples, "ordinary", untilArrived(client, tally, count));
        tally.await(count, Duration.ZERO);
        samples.add("late ordinary", tally.millisAt(99));
    }

    private static void respawned(Bout bout, HttpLoad client, WebhookSink sink, Samples samples, int count)
            throws InterruptedException {
        bout.say().accept("1,000 pushes a second beside a respawn of " + count + ", 1,000 a second");
        Tally tally = sink.restart();
        int port = bout.rig().server().port();
        CompletableFuture<JSONObject> call =
                CompletableFuture.supplyAsync(() -> respawn(port, ",\"perSecond\":" + PER_SECOND, count));
        Load meanwhile = client.paceWhile(() -> !call.isDone(), PUSH::duplicate, PER_SECOND);
        samples.add("call", call.join().getLongValue("milliseconds") / 1000.0);
        add(samples, "meanwhile", meanwhile);
        add(samples, "respawn", meanwhile.then(untilArrived(client, tally, count)));
        tally.await(count, Duration.ZERO);
        samples.add("late", tally.millisAt(99));
        samples.add("early", (double) tally.early());
    }

    /** Pushes until so many messages are delivered, which takes as long as their due times are apart, or too long. */
    private static Load untilArrived(HttpLoad client, Tally tally, int count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(count / PER_SECOND) + PATIENCE.toNanos();
        return client.paceWhile(() -> tally.arrived() < count && System.nanoTime() < end, PUSH::duplicate, PER_SECOND);
    }

    private static JSONObject respawn(int port, String pace, int count) {
        Answer answer =
                new DelayClient(port, PATIENCE).post("/dead/respawn", "{\"topic\":\"" + TOPIC + "\"" + pace + "}");
        if (answer.status() != 200 || answer.dataObject().getLongValue("respawned") != count) {
            throw new IllegalStateException(count + " should be respawned: " + answer.text());
        }
        return answer.dataObject();
    }

    private static void add(Samples samples, String when, Load load) {
        load.clean();
        samples.add("p50 " + when, load.millisAt(50));
        samples.add("p99 " + when, load.millisAt(99));
    }

    private List<Figure> figures(Samples samples, int count) {
        String calm = "before and after";
        String pushes = " of 1,000 pushes a second";
        double p99 = samples.median("p99 calm");
        return List.of(
                Figure.of(name(), "rate, all due at once", samples.median("rate"), "/s")
                        .beside("POST /push/batch of the same", samples.median("push rate")),
                Figure.of(
                        name(),
                        String.format(Locale.ROOT, "the call for %,d, 1,000/s", count),
                        samples.median("call"),
                        "s"),
                Figure.of(name(), "p50" + pushes + ", respawned", samples.median("p50 respawn"), "ms")
                        .beside(calm, samples.median("p50 calm")),
                Figure.of(name(), "p99" + pushes + ", respawned", samples.median("p99 respawn"), "ms")
                        .beside("ordinary deliveries", samples.median("p99 ordinary"))
                        .must(Target.ratioAtMost(1.3)),
                Figure.of(name(), "the same, beside pushes alone", samples.median("p99 respawn"), "ms")
                        .beside(calm, p99),
                Figure.of(name(), "p99" + pushes + ", until the call ends", samples.median("p99 meanwhile"), "ms")
                        .beside(calm, p99),
                Figure.of(name(), "p99" + pushes + ", ordinary deliveries", samples.median("p99 ordinary"), "ms")
                        .beside(calm, p99),
                Figure.of(name(), "p99 lateness of the respawned", samples.median("late"), "ms")
                        .beside("ordinary deliveries", samples.median("late ordinary")),
                Figure.of(name(), "early", samples.median("early"), "messages").must(Target.valueAtMost(0)));
    }
}
