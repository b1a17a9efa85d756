package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.StoredRows;
import io.mykit.delay.test.bench.rig.Tally;
import io.mykit.delay.test.bench.rig.WebhookSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Thousands of messages are due for a receiver that answers after three seconds: what they cost, and what another topic feels. */
public final class SlowReceiverLine implements BenchLine {
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final String SLOW = "slow";
    private static final String TARGETED = "targeted";
    private static final String TOPIC = "callbacks";
    private static final int CONNECTIONS = 32;
    private static final int PER_SECOND = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "slow-receiver";
    }

    @Override
    public String about() {
        return "20,000 due for a receiver that takes 3 s, by the URL of their topic and by targets: rows of the flow log,"
                + " and another topic at 500/s with and without them";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        List<Figure> figures = new ArrayList<>();
        try (WebhookSink sink = new WebhookSink(PAUSE)) {
            figures.addAll(measure(bout, sink, Requests.due(SLOW, 0), "by URL"));
            String target = ",\"target\":{\"url\":\"" + sink.slowUrl() + "\"}}";
            String item = Requests.due(TARGETED, 0);
            figures.addAll(measure(bout, sink, item.substring(0, item.length() - 1) + target, "by target"));
        }
        return figures;
    }

    /** @param item a message for the slow receiver, with 0 for its due time */
    private List<Figure> measure(Bout bout, WebhookSink sink, String item, String how) throws Exception {
        bout.rig()
                .freshServer(Map.of(
                        "delivery.topics." + TOPIC,
                        "webhook",
                        "delivery.topics." + SLOW,
                        "webhook",
                        "delivery.topics." + TARGETED,
                        "webhook",
                        "webhook.topics." + TOPIC + ".url",
                        sink.url(),
                        "webhook.topics." + SLOW + ".url",
                        sink.slowUrl(),
                        "webhook.targets",
                        "http://127.0.0.0/8"));
        StoredRows rows = new StoredRows(bout.rig().databaseServer(), bout.rig().database());
        bout.say().accept(how + ", warming up");
        paced(bout, sink);
        bout.say().accept(how + ", without the slow receiver");
        CpuClock cpu = bout.rig().storeClock();
        long begin = System.nanoTime();
        Tally alone = paced(bout, sink);
        double coresAlone = cpu.lapTotal() * 1e9 / (System.nanoTime() - begin);

        bout.say().accept(how + ", beside it");
        int count = bout.scale().drain() / 5;
        long dueMs = Backlog.safeDueMs(bout.rig(), count);
        Backlog.push(bout.rig(), count, item.replace("\"triggerAt\":0", "\"triggerAt\":" + dueMs));
        Thread.sleep(Math.max(0, dueMs - System.currentTimeMillis()));
        long rowsBefore = rows.flowRows();
        long answeredBefore = sink.answeredSlowly();
        cpu.lap();
        begin = System.nanoTime();
        Tally beside = paced(bout, sink);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double cores = cpu.lapTotal() / seconds;
        long answered = sink.answeredSlowly() - answeredBefore;
        long logged = rows.flowRows() - rowsBefore;
        return List.of(
                Figure.of(name(), "answers of the slow receiver, " + how, answered / seconds, "/s")
                        .beside("its places", CONNECTIONS * 1e3 / PAUSE.toMillis()),
                Figure.of(
                                name(),
                                "flow rows for each delivered message, " + how,
                                (double) logged / (answered + beside.arrived()),
                                "rows")
                        .must(Target.valueAtMost(1)),
                Figure.of(name(), "p50 of another topic, " + how, beside.millisAt(50), "ms")
                        .beside("without it", alone.millisAt(50)),
                Figure.of(name(), "p99 of another topic, " + how, beside.millisAt(99), "ms")
                        .beside("without it", alone.millisAt(99))
                        .must(Target.ratioAtMost(1.2)),
                Figure.of(name(), "the same, median of five seconds, " + how, median(beside), "ms")
                        .beside("without it", median(alone)),
                Figure.of(name(), "the same, worst five seconds, " + how, worst(beside), "ms")
                        .beside("without it", worst(alone)),
                Figure.of(name(), "CPU of server, Redis and database, " + how, cores, "cores")
                        .beside("without it", coresAlone));
    }

    private static double median(Tally tally) {
        List<Double> sorted = tally.millisOfWindowsAt(99).stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private static double worst(Tally tally) {
        return Collections.max(tally.millisOfWindowsAt(99));
    }

    private static Tally paced(Bout bout, WebhookSink sink) throws InterruptedException {
        Tally tally = sink.restart();
        try (HttpLoad client = new HttpLoad(bout.rig().server().port(), CONNECTIONS)) {
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
}
