package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.RawIndex;
import io.mykit.delay.test.bench.rig.RawRecovery;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.bench.rig.Sink;
import io.mykit.delay.test.bench.rig.StoredRows;
import io.mykit.delay.test.bench.rig.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Many more messages than Redis keeps: the space that they take, and the rate at which near ones are loaded. */
public final class CapacityLine implements BenchLine {
    private static final Duration HORIZON = Duration.ofHours(1);
    private static final Duration LONGEST = Duration.ofDays(30);
    /** A tenth of all crosses such a horizon at once when the server is told so at a start. */
    private static final Duration FAR = LONGEST.dividedBy(10);

    private static final int PARTS = 10;
    private static final int PER_SECOND = 500;
    private static final double MIB = 1024.0 * 1024;

    @Override
    public String name() {
        return "capacity";
    }

    @Override
    public String about() {
        return "10 million over 30 days, an hour of them in Redis: memory, disk, and lateness while a tenth is loaded";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        Rig rig = bout.rig();
        int count = bout.scale().stored();
        rig.freshServer(horizon(HORIZON));
        StoredRows rows = new StoredRows(rig.databaseServer(), rig.database());
        List<Figure> figures = new ArrayList<>(fill(bout, count));
        figures.addAll(disk(rows, count));
        rig.databaseServer().writeBehind();
        double raw = raw(bout, rows, count / 100);
        Tally calm;
        Tally loading;
        double alone;
        double share;
        try (Sink sink = rig.brokers().get(0).sink(topic(rig))) {
            bout.say().accept("lateness with nothing to load");
            rig.nextServer(horizon(HORIZON));
            calm = lateness(bout, sink);
            bout.say().accept("loading what is due within " + FAR.toDays() + " days");
            alone = load(rig, rows, FAR).join().rate();
            bout.say().accept("lateness while as many are loaded again");
            CompletableFuture<Loading> more = load(rig, rows, FAR.multipliedBy(2));
            long start = System.nanoTime();
            loading = lateness(bout, sink);
            long end = System.nanoTime();
            share = Math.min(1, (more.join().endNanos() - start) / (double) (end - start));
        }
        figures.add(figure("loaded", alone, "/s").beside("JDBC + HSET + ZADD, one after the other", raw));
        String at = " at " + PER_SECOND + "/s while loading";
        figures.add(figure("part of that time in which it loaded", 100 * share, "%"));
        figures.add(figure("p50" + at, loading.millisAt(50), "ms").beside("nothing to load", calm.millisAt(50)));
        figures.add(figure("p99" + at, loading.millisAt(99), "ms").beside("nothing to load", calm.millisAt(99)));
        figures.add(figure("early", (double) loading.early() + calm.early(), "messages")
                .must(Target.valueAtMost(0)));
        return figures;
    }

    private List<Figure> fill(Bout bout, int count) throws InterruptedException {
        Rig rig = bout.rig();
        double memoryBefore = memory(rig);
        List<Double> rates = new ArrayList<>();
        double seconds = 0;
        for (int part = 1; part <= PARTS; part++) {
            Load load = Backlog.pushEach(
                    rig,
                    count / PARTS,
                    () -> Requests.due("accept", nowMs() + bout.random().nextLong(LONGEST.toMillis())));
            rates.add(load.rate() * BatchLine.SIZE);
            seconds += load.seconds();
            bout.say().accept(part * (count / PARTS) + " of " + count + " are stored");
        }
        // The messages that came within the horizon meanwhile.
        TimeUnit.SECONDS.sleep(5);
        double inHour = count * (double) HORIZON.toMillis() / LONGEST.toMillis();
        double grown = memory(rig) - memoryBefore;
        return List.of(
                figure("accepted in batches of " + BatchLine.SIZE, count / seconds, "/s"),
                figure("accepted, the last tenth of them", rates.get(PARTS - 1), "/s")
                        .beside("the first", rates.get(0)),
                figure("in Redis", (double) rig.buckets().pooled(), "messages")
                        .beside("an hour's share", inHour)
                        .must(Target.ratioAtMost(1.1)),
                figure("growth of Redis", grown / MIB, "MiB"),
                figure("growth of Redis per message of an hour's share", grown / inHour, "bytes"),
                figure("growth of Redis per message stored", grown / count, "bytes"));
    }

    private List<Figure> disk(StoredRows rows, int count) {
        double job = rows.fileBytes("mykit_delay_queue_job") / (double) count;
        double log = rows.fileBytes("mykit_delay_queue_job_log") / (double) count;
        return List.of(
                figure("database per message, data and indexes", job + log, "bytes"),
                figure("of these the message itself", job, "bytes"),
                figure("of these its first log row", log, "bytes"));
    }

    /** Uses rows of the far end, which are put back; no loop reads them meanwhile. */
    private static double raw(Bout bout, StoredRows rows, int count) {
        Rig rig = bout.rig();
        bout.say().accept("loading " + count + " without us");
        long fromMs = nowMs() + FAR.multipliedBy(8).toMillis();
        try (RawIndex index = new RawIndex(rig.redis());
                RawRecovery recovery = new RawRecovery(rig.databaseServer(), rig.database(), index, fromMs)) {
            recovery.load(count / 5);
            long start = System.nanoTime();
            double rate = recovery.load(count) * 1e9 / (System.nanoTime() - start);
            rows.putBack(fromMs);
            return rate;
        }
    }

    private static Tally lateness(Bout bout, Sink sink) throws InterruptedException {
        // The compilers, which have as much to do on both sides.
        LatenessLine.ours(
                bout, topic(bout.rig()), sink, PER_SECOND, bout.scale().warmUp().dividedBy(3));
        return LatenessLine.ours(
                bout, topic(bout.rig()), sink, PER_SECOND, bout.scale().lateness());
    }

    /** Starts the server anew; a tenth of all messages is within its horizon and not within the one before. */
    private static CompletableFuture<Loading> load(Rig rig, StoredRows rows, Duration horizon) {
        long missing = rows.waitingBefore(nowMs() + horizon.toMillis());
        long before = rig.buckets().pooled();
        rig.nextServer(horizon(horizon));
        Loading loading = new Loading(rig.buckets(), before, missing);
        return CompletableFuture.supplyAsync(loading::watch);
    }

    private static Map<String, String> horizon(Duration horizon) {
        return Map.of("queue.horizon", horizon.toHours() + "h");
    }

    private static String topic(Rig rig) {
        return rig.brokers().get(0).topic(Broker.Use.LATENESS);
    }

    private static double memory(Rig rig) {
        return Long.parseLong(rig.redis().info("used_memory"));
    }

    private static long nowMs() {
        return Tally.nowMicros() / 1000;
    }

    private Figure figure(String what, double value, String unit) {
        return Figure.of(name(), what, value, unit);
    }
}
