package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Administrator;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Tally;
import io.mykit.delay.test.bench.rig.WebhookSink;
import io.mykit.delay.test.server.DelayServer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A quiet namespace beside one that pushes far more than its limit allows. Both deliver what they push. Turns without the other one, with it
 * at its limit, and with it far beyond its limit alternate, and the medians are of turns: a stall of the disk hits few of them. The second kind
 * of turn tells the price of the messages that the limit allows.
 */
public final class NeighboursLine implements BenchLine {
    private static final int QUIET = 200;
    private static final int LIMIT = 300;
    /** Ten times the limit. */
    private static final int NOISE = 10 * LIMIT;

    private static final int DELAY_MS = 2_000;
    private static final int PRODUCERS = 16;
    private static final int TURNS = 4;
    private static final double BOUND = 1.2;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "neighbours";
    }

    @Override
    public String about() {
        return "p99 of pushes and deliveries of a quiet namespace beside one that pushes ten times its limit, and without it";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        try (WebhookSink quiet = new WebhookSink();
                WebhookSink noisy = new WebhookSink()) {
            DelayServer server = bout.rig()
                    .freshServer(Map.of(
                            "delivery.default-channel",
                            "webhook",
                            "webhook.url",
                            quiet.url(),
                            "webhook.targets",
                            "http://127.0.0.0/8",
                            "http.admin-token",
                            Administrator.TOKEN));
            Administrator administrator = new Administrator(server);
            String quietToken = token(administrator, "quiet", 0);
            String noisyToken = token(administrator, "noisy", LIMIT);
            ByteBuffer quietPush = Requests.push(Requests.delayed("calls", DELAY_MS), quietToken);
            String noise = Requests.delayed("calls", DELAY_MS);
            ByteBuffer noisyPush = Requests.push(
                    noise.substring(0, noise.length() - 1) + ",\"target\":{\"url\":\"" + noisy.url() + "\"}}",
                    noisyToken);
            Samples samples = new Samples();
            bout.measure("", samples, into -> {
                for (int turn = 0; turn < TURNS; turn++) {
                    Turn alone = quiet(bout, quiet, quietPush);
                    Turn allowed = beside(bout, quiet, quietPush, noisyPush, LIMIT, new Samples());
                    Turn beside = beside(bout, quiet, quietPush, noisyPush, NOISE, into);
                    note(into, "alone", alone);
                    note(into, "allowed", allowed);
                    note(into, "beside", beside);
                    into.add("push", beside.pushMs() / alone.pushMs());
                    into.add("late", beside.lateMs() / alone.lateMs());
                }
            });
            return figures(samples);
        }
    }

    private static void note(Samples into, String name, Turn turn) {
        into.add("push " + name, turn.pushMs());
        into.add("late " + name, turn.lateMs());
    }

    /** @param perSecond the pushes of the other namespace */
    private static Turn beside(
            Bout bout, WebhookSink sink, ByteBuffer push, ByteBuffer noisyPush, int perSecond, Samples into)
            throws InterruptedException {
        AtomicBoolean goesOn = new AtomicBoolean(true);
        int port = bout.rig().server().port();
        CompletableFuture<Load> noise = CompletableFuture.supplyAsync(() -> {
            try (HttpLoad client = new HttpLoad(port, PRODUCERS)) {
                return client.paceWhile(goesOn::get, noisyPush::duplicate, perSecond);
            }
        });
        Turn turn;
        try {
            turn = quiet(bout, sink, push);
        } finally {
            goesOn.set(false);
        }
        Load all = noise.join();
        into.add("noisy accepted", (all.answers() - all.failures()) / all.seconds());
        into.add("noisy offered", all.rate());
        return turn;
    }

    private static Turn quiet(Bout bout, WebhookSink sink, ByteBuffer push) throws InterruptedException {
        Tally tally = sink.restart();
        Duration time = bout.scale().lateness().dividedBy(TURNS);
        try (HttpLoad client = new HttpLoad(bout.rig().server().port(), PRODUCERS)) {
            Load load = client.pace(push::duplicate, QUIET, time).clean();
            tally.await(load.answers(), PATIENCE);
            return new Turn(load.millisAt(99), tally.millisAt(99));
        }
    }

    /** A token of a new namespace with a limit of pushes; 0 = none. */
    private static String token(Administrator administrator, String namespace, int limit) {
        administrator.makeNamespace(namespace, limit);
        return administrator.producer(namespace);
    }

    private List<Figure> figures(Samples samples) {
        return List.of(
                Figure.of(name(), "p99 of the quiet pushes", samples.median("push beside"), "ms")
                        .beside("without the noisy one", samples.median("push alone"))
                        .must(Target.ratioAtMost(BOUND)),
                Figure.of(name(), "the same, pair by pair", samples.median("push"), "times"),
                Figure.of(name(), "p99 of the quiet pushes beside the noisy one", samples.median("push beside"), "ms")
                        .beside("beside one that keeps its limit", samples.median("push allowed")),
                Figure.of(name(), "p99 of the quiet deliveries", samples.median("late beside"), "ms")
                        .beside("without the noisy one", samples.median("late alone"))
                        .must(Target.ratioAtMost(BOUND)),
                Figure.of(name(), "the same, pair by pair, deliveries", samples.median("late"), "times"),
                Figure.of(
                                name(),
                                "p99 of the quiet deliveries beside the noisy one",
                                samples.median("late beside"),
                                "ms")
                        .beside("beside one that keeps its limit", samples.median("late allowed")),
                Figure.of(name(), "noisy pushes that were accepted", samples.median("noisy accepted"), "/s")
                        .must(Target.valueAtMost(BOUND * LIMIT)),
                Figure.of(name(), "noisy pushes that were offered", samples.median("noisy offered"), "/s"));
    }

    /**
     * @param pushMs p99 from the planned moment to the answer
     * @param lateMs p99 from the due time to the receiver
     */
    private record Turn(double pushMs, double lateMs) {}
}
