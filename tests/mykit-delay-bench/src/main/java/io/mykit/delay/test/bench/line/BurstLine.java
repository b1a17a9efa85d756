package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.LiveHeap;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Sink;
import io.mykit.delay.test.bench.rig.Tally;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Half a million due within one second, while a little falls due on another topic all the time. */
public final class BurstLine implements BenchLine {
    private static final int COUNT = 500_000;
    private static final int OTHER_PER_SECOND = 200;
    private static final int SPREAD_MS = 1_000;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "burst";
    }

    @Override
    public String about() {
        return "500,000 due within one second while 200/s fall due on another topic: lag, heap, the other's lateness";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        Broker broker = bout.rig().brokers().get(0);
        long pid = bout.rig().freshServer().pid();
        String topic = broker.topic(Broker.Use.DRAIN);
        String other = broker.topic(Broker.Use.LATENESS);
        try (Sink burst = broker.sink(topic);
                Sink trickle = broker.sink(other)) {
            bout.say().accept("warming up");
            AcceptLine.saturate(bout.rig().server().port(), 64, bout.scale().warmUp());
            DrainLine.warmUp(broker, bout, burst);
            bout.say().accept("pushing " + COUNT);
            Tally arrived = burst.restart();
            long dueMs = push(bout, topic);
            TimeUnit.MILLISECONDS.sleep(Math.max(0, dueMs - 8_000 - Tally.nowMicros() / 1000));
            Tally others = trickle.restart();
            CompletableFuture<Long> trickling = trickle(bout, other);
            TimeUnit.MILLISECONDS.sleep(Math.max(0, dueMs + SPREAD_MS - Tally.nowMicros() / 1000));
            Lag lag = watch(bout, arrived);
            double heap = LiveHeap.peakResidentBytes(pid) / (1024.0 * 1024);
            others.await(trickling.join(), PATIENCE);
            bout.say().accept("the same rows, moves and sends without us");
            Tally raw = RawBurst.beside(bout, broker, topic, other, trickle, OTHER_PER_SECOND);
            return figures(lag, heap, arrived, others, raw);
        }
    }

    private static long push(Bout bout, String topic) {
        long dueMs = Backlog.safeDueMs(bout.rig(), COUNT) + 10_000;
        try (HttpLoad client = new HttpLoad(bout.rig().server().port(), 8)) {
            List<ByteBuffer> batches = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                batches.add(Requests.batch(
                        BatchLine.SIZE,
                        n -> Requests.due(topic, dueMs + bout.random().nextInt(SPREAD_MS))));
            }
            int[] next = {0};
            client.send(COUNT / BatchLine.SIZE, () -> batches.get(next[0]++ % batches.size())
                            .duplicate())
                    .clean();
        }
        return dueMs;
    }

    /** Long enough to be there before, during and after. */
    private static CompletableFuture<Long> trickle(Bout bout, String topic) {
        int port = bout.rig().server().port();
        return CompletableFuture.supplyAsync(() -> {
            try (HttpLoad client = new HttpLoad(port, 16)) {
                ByteBuffer push = Requests.push(Requests.delayed(topic, 2_000));
                return client.pace(push::duplicate, OTHER_PER_SECOND, Duration.ofSeconds(40))
                        .clean()
                        .answers();
            }
        });
    }

    private static Lag watch(Bout bout, Tally arrived) throws InterruptedException {
        long start = System.nanoTime();
        long before = COUNT - arrived.arrived();
        int stalls = 0;
        while (arrived.arrived() < COUNT && System.nanoTime() - start < PATIENCE.toNanos()) {
            TimeUnit.SECONDS.sleep(1);
            long now = COUNT - arrived.arrived();
            bout.say().accept(now + " are late");
            if (now >= before && now > 0) {
                stalls++;
            }
            before = now;
        }
        return new Lag(stalls, (arrived.lastNanos() - start) / 1e9);
    }

    private List<Figure> figures(Lag lag, double resident, Tally arrived, Tally others, Tally raw) {
        String alone = "the broker's own beside rows, moves and sends";
        return List.of(
                Figure.of(name(), "seconds in which the lag did not fall", lag.stalls(), "s")
                        .must(Target.valueAtMost(0)),
                Figure.of(name(), "until the last arrived", lag.seconds(), "s"),
                // The heap is limited to 512 MiB by the command line, so that having got here shows that it was enough.
                Figure.of(name(), "largest resident size of the server", resident, "MiB"),
                Figure.of(name(), "early", (double) arrived.early() + others.early(), "messages")
                        .must(Target.valueAtMost(0)),
                Figure.of(name(), "p50 of the other topic", others.millisAt(50), "ms")
                        .beside(alone, raw.millisAt(50)),
                Figure.of(name(), "p99 of the other topic", others.millisAt(99), "ms")
                        .beside(alone, raw.millisAt(99))
                        .must(Target.valueAtMost(50)));
    }

    private record Lag(int stalls, double seconds) {}
}
