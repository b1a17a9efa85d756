package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.LiveHeap;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.RawIndex;
import io.mykit.delay.test.bench.rig.RawRecovery;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.bench.rig.Sink;
import io.mykit.delay.test.bench.rig.Tally;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Redis loses everything: how soon that is noticed, and how soon all are back from the database. */
public final class RestoreLine implements BenchLine {
    private static final int HOUR_MS = (int) Duration.ofHours(1).toMillis();
    private static final int PER_SECOND = 500;
    private static final int CONNECTIONS = 64;
    private static final int SOON_SPREAD_MS = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final double MIB = 1024.0 * 1024;

    @Override
    public String name() {
        return "restore";
    }

    @Override
    public String about() {
        return "FLUSHALL with a million waiting, until all are back, beside JDBC pages put into Redis by HSET + ZADD";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        Rig rig = bout.rig();
        int count = bout.scale().stored() / 10;
        Broker broker = rig.brokers().get(0);
        long pid = rig.freshServer().pid();
        try (Sink sink = broker.sink(broker.topic(Broker.Use.LATENESS))) {
            bout.say().accept("pushing " + count);
            long hence = Tally.nowMicros() / 1000 + HOUR_MS;
            // Not due in the order in which they were pushed.
            Backlog.pushEach(
                    rig,
                    count,
                    () -> Requests.due("accept", hence + bout.random().nextInt(HOUR_MS)));
            List<Figure> figures = new ArrayList<>();
            double raw = raw(rig, count);
            double heapBefore = LiveHeap.bytes(pid) / MIB;
            bout.say().accept("FLUSHALL");
            Restoration alone = Restoration.watch(rig, true);
            double heapAfter = LiveHeap.bytes(pid) / MIB;
            figures.add(figure("until noticed", alone.noticedSeconds(), "s"));
            figures.add(figure("until all are back", alone.seconds(), "s"));
            figures.add(figure("rate", alone.rate(), "/s")
                    .beside("JDBC + HSET + ZADD, one after the other", raw)
                    .must(Target.ratioAtLeast(0.5)));
            figures.add(figure("live heap in the middle", alone.heapBytes() / MIB, "MiB")
                    .beside("before", heapBefore)
                    .must(Target.ratioAtMost(1.5)));
            figures.add(figure("live heap afterwards", heapAfter, "MiB").beside("before", heapBefore));
            figures.addAll(besidePushes(bout, broker, sink, alone));
            return figures;
        }
    }

    private static double raw(Rig rig, int count) {
        try (RawIndex index = new RawIndex(rig.redis());
                RawRecovery warm = new RawRecovery(rig.databaseServer(), rig.database(), index, 0);
                RawRecovery recovery = new RawRecovery(rig.databaseServer(), rig.database(), index, 0)) {
            warm.restore(count / 5);
            index.clear();
            long start = System.nanoTime();
            return recovery.restore(count) * 1e9 / (System.nanoTime() - start);
        }
    }

    /** Once more, with producers that notice or do not, and messages that fall due soon after. */
    private List<Figure> besidePushes(Bout bout, Broker broker, Sink sink, Restoration alone) throws Exception {
        Rig rig = bout.rig();
        int soon = bout.scale().stored() / 500;
        try (HttpLoad client = new HttpLoad(rig.server().port(), CONNECTIONS)) {
            ByteBuffer push = Requests.push(Requests.delayed("accept", HOUR_MS));
            bout.say().accept(PER_SECOND + " pushes a second, nothing lost");
            client.pace(push::duplicate, PER_SECOND, bout.scale().warmUp().dividedBy(2));
            Load calm = client.pace(
                            push::duplicate, PER_SECOND, bout.scale().lateness().dividedBy(2))
                    .clean();
            Tally tally = Tally.ofIds();
            sink.restart(tally);
            long dueMs = Backlog.safeDueMs(rig, soon) + (long) (alone.seconds() * 1_500);
            String topic = broker.topic(Broker.Use.LATENESS);
            Backlog.pushEach(
                    rig, soon, () -> Requests.due(topic, dueMs + bout.random().nextInt(SOON_SPREAD_MS)));
            long pooledBefore = rig.buckets().pooled();
            bout.say().accept("FLUSHALL, " + PER_SECOND + " pushes a second");
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Load> pushing = CompletableFuture.supplyAsync(
                    () -> client.paceWhile(() -> !over.get(), push::duplicate, PER_SECOND));
            Restoration beside;
            try {
                beside = Restoration.watch(rig, false);
            } finally {
                over.set(true);
            }
            Load load = pushing.join();
            bout.say().accept("waiting until " + soon + " have arrived");
            tally.await(soon, PATIENCE);
            long left = pooledBefore + load.answers() - load.failures() - soon;
            // A message that comes twice has come by then.
            rig.buckets().awaitPooled(left, PATIENCE);
            String at = ", " + PER_SECOND + " pushes a second";
            return List.of(
                    figure("rate" + at, beside.rate(), "/s").beside("without pushes", alone.rate()),
                    figure("accepted meanwhile", load.rate(), "/s"),
                    none("refused meanwhile", load.failures(), "pushes"),
                    figure("p50 of pushes meanwhile", load.millisAt(50), "ms")
                            .beside("nothing lost", calm.millisAt(50)),
                    figure("p99 of pushes meanwhile", load.millisAt(99), "ms")
                            .beside("nothing lost", calm.millisAt(99)),
                    figure("p99 lateness of those due soon", tally.millisAt(99), "ms"),
                    none("early", tally.early(), "messages"),
                    none("delivered twice", tally.again(), "messages"),
                    none("lost", left - rig.buckets().pooled(), "messages"));
        }
    }

    /** There must not be any. */
    private Figure none(String what, long count, String unit) {
        return figure(what, (double) count, unit).must(Target.valueAtMost(0));
    }

    private Figure figure(String what, double value, String unit) {
        return Figure.of(name(), what, value, unit);
    }
}
