package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.bench.rig.Tally;
import io.mykit.delay.test.bench.rig.WebhookSink;
import io.mykit.delay.test.server.FreePorts;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Ten messages a second of one topic, beside very many topics that cannot be delivered, or that wait beside a pulled topic. */
public final class TopicsLine implements BenchLine {
    private static final String TOPIC = "other";
    private static final int PER_SECOND = 10;
    private static final Duration TIME = Duration.ofSeconds(30);
    private static final int DELAY_MS = 1_000;
    private static final int STUCK = 20_000;
    private static final int WAITING = 100_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "topics";
    }

    @Override
    public String about() {
        return "10/s beside 20,000 topics of a dead broker, 20,000 at their limit, 100,000 that wait beside a pulled one";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        List<Figure> figures = new ArrayList<>();
        try (WebhookSink sink = new WebhookSink()) {
            start(bout, sink, Map.of());
            figures.addAll(beside(bout, sink, "20,000 topics of a dead broker", () -> stick(bout)));
            if (bout.scale().thorough()) {
                Map<String, String> limits =
                        Map.of("delivery.policy.limited-*.rate", "0.01", "delivery.topics.limited-*", "webhook");
                start(bout, sink, limits);
                figures.addAll(beside(bout, sink, "20,000 topics at their limit", () -> limit(bout)));
            }
            start(bout, sink, Map.of("delivery.topics.pulled", "pull"));
            figures.addAll(beside(bout, sink, "100,000 topics that wait, and a pulled one", () -> {
                push(bout, "far-", WAITING, AcceptLine.DELAY_MS);
                // A census of the pulled topics and one of the buckets come every ten seconds.
                TimeUnit.SECONDS.sleep(10);
            }));
        }
        return figures;
    }

    private static void start(Bout bout, WebhookSink sink, Map<String, String> special) throws Exception {
        bout.say().accept("warming up");
        int nobody = FreePorts.next();
        Map<String, String> settings = new HashMap<>(special);
        settings.put("delivery.topics." + TOPIC, "webhook");
        settings.put("webhook.url", sink.url());
        settings.put("delivery.topics.stuck-*", "activemq");
        settings.put("activemq.broker-url", "tcp://127.0.0.1:" + nobody);
        bout.rig().freshServer(settings);
        AcceptLine.saturate(bout.rig().server().port(), 64, bout.scale().warmUp());
        Look unused = look(bout, sink);
    }

    private static void stick(Bout bout) throws InterruptedException {
        push(bout, "stuck-", STUCK, 1);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        // Some of them are probed at any moment.
        while (bout.rig().buckets().readyTopics() < STUCK * 0.95) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(bout.rig().buckets().readyTopics() + " topics are stuck");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        TimeUnit.SECONDS.sleep(5);
    }

    /** A new leader delivers the first message of such a topic after a hundred seconds, and would deliver the next one as late. */
    private static void limit(Bout bout) throws InterruptedException {
        long before = bout.rig().buckets().pooled();
        push(bout, "limited-", STUCK, 1);
        bout.rig().buckets().awaitPooled(before, PATIENCE);
    }

    private List<Figure> beside(Bout bout, WebhookSink sink, String what, Work work) throws Exception {
        bout.say().accept("without " + what);
        Look without = look(bout, sink);
        bout.say().accept("pushing " + what);
        work.run();
        bout.say().accept("beside " + what);
        Look with = look(bout, sink);
        String alone = "without them";
        return List.of(
                Figure.of(name(), "p50 beside " + what, with.p50(), "ms")
                        .beside(alone, without.p50())
                        .must(Target.ratioAtMost(1.2)),
                Figure.of(name(), "p95 beside " + what, with.p95(), "ms")
                        .beside(alone, without.p95())
                        .must(Target.ratioAtMost(1.2)),
                Figure.of(name(), "bytes that Redis receives", with.received() / 1000, "KB/s")
                        .beside(alone, without.received() / 1000)
                        .must(Target.valueAtMost(200)),
                Figure.of(name(), "CPU of Redis", with.percent().get("Redis"), "%")
                        .beside(alone, without.percent().get("Redis")),
                Figure.of(name(), "CPU of the server", with.percent().get("server"), "%")
                        .beside(alone, without.percent().get("server")),
                Figure.of(name(), "CPU of the database", with.percent().get("database"), "%")
                        .beside(alone, without.percent().get("database")));
    }

    private static Look look(Bout bout, WebhookSink sink) throws InterruptedException {
        Rig rig = bout.rig();
        Tally tally = sink.restart();
        ByteBuffer push = Requests.push(Requests.delayed(TOPIC, DELAY_MS));
        CpuClock cpu = rig.storeClock();
        long received = received(rig);
        try (HttpLoad client = new HttpLoad(rig.server().port(), 4)) {
            Load load = client.pace(push::duplicate, PER_SECOND, TIME).clean();
            double seconds = load.seconds();
            Map<String, Double> percent = cpu.lap();
            percent.replaceAll((part, used) -> 100 * used / seconds);
            double bytes = (received(rig) - received) / seconds;
            tally.await(load.answers(), PATIENCE);
            return new Look(tally.millisAt(50), tally.millisAt(95), bytes, percent);
        }
    }

    private static void push(Bout bout, String prefix, int topics, long delayMs) {
        int[] number = {0};
        Load unused = Backlog.pushEach(bout.rig(), topics, () -> Requests.delayed(prefix + number[0]++, delayMs));
    }

    private static long received(Rig rig) {
        return Long.parseLong(rig.redis().info("total_net_input_bytes"));
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    /**
     * What was seen.
     *
     * @param p50 of the lateness, milliseconds
     * @param received the bytes that Redis received a second
     * @param percent of a core, by process
     */
    private record Look(double p50, double p95, double received, Map<String, Double> percent) {}
}
