package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Sink;
import io.mykit.delay.test.bench.rig.Tally;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The cost of accept and drain when more messages wait. */
public final class GrowthLine implements BenchLine {
    private static final List<Integer> WAITING = List.of(1_000, 100_000, 1_000_000, 5_000_000);
    private static final int ACCEPTED = 20_000;
    private static final int DRAINED = 20_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public String about() {
        return "CPU of accept and drain with 1 thousand, 100 thousand, 1 and 5 million waiting";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        List<Figure> figures = new ArrayList<>();
        int port = bout.rig().freshServer().port();
        Broker broker = bout.rig().brokers().get(0);
        Cost smallest = null;
        try (Sink sink = broker.sink(broker.topic(Broker.Use.DRAIN))) {
            bout.say().accept("warming up");
            // Due soon, so that they do not wait along.
            accept(port, bout.scale().warmUp(), broker.topic(Broker.Use.LATENESS));
            for (int i = 0; i < 3; i++) {
                drain(bout, broker, sink);
            }
            for (int waiting : WAITING) {
                int missing = (int) (waiting - bout.rig().buckets().pooled());
                bout.say().accept("pushing until " + waiting + " wait");
                Backlog.push(bout.rig(), Math.max(0, missing), Requests.delayed("accept", AcceptLine.DELAY_MS * 4));
                Cost cost = cost(bout, broker, sink);
                smallest = smallest == null ? cost : smallest;
                figures.addAll(figures(waiting, cost, smallest));
            }
        }
        return figures;
    }

    private static Cost cost(Bout bout, Broker broker, Sink sink) throws Exception {
        Samples samples = new Samples();
        for (int run = 0; run < bout.scale().runs(); run++) {
            CpuClock cpu = bout.rig().storeClock();
            ByteBuffer push = Requests.push(Requests.delayed("accept", AcceptLine.DELAY_MS * 4));
            try (HttpLoad client = new HttpLoad(bout.rig().server().port(), 64)) {
                Load load = client.send(ACCEPTED, push::duplicate).clean();
                samples.add("accept", cpu.lapTotal() * 1e6 / load.answers());
            }
            samples.add("drain", drain(bout, broker, sink));
        }
        return new Cost(samples.median("accept"), samples.median("drain"));
    }

    private static void accept(int port, Duration time, String topic) {
        ByteBuffer push = Requests.push(Requests.delayed(topic, 0));
        try (HttpLoad client = new HttpLoad(port, 64)) {
            client.saturate(push::duplicate, time).clean();
        }
    }

    private static double drain(Bout bout, Broker broker, Sink sink) throws Exception {
        Tally tally = sink.restart();
        Backlog backlog = Backlog.load(bout.rig(), broker.topic(Broker.Use.DRAIN), DRAINED);
        backlog.awaitDue();
        CpuClock cpu = bout.rig().storeClock();
        tally.await(DRAINED, PATIENCE);
        backlog.awaitSettled(PATIENCE);
        return cpu.lapTotal() * 1e6 / DRAINED;
    }

    private List<Figure> figures(int waiting, Cost cost, Cost smallest) {
        String with = String.format(Locale.ROOT, ", %,d waiting", waiting);
        return List.of(
                Figure.of(name(), "CPU of accept" + with, cost.accept(), "us")
                        .beside("with the fewest", smallest.accept())
                        .must(Target.ratioAtMost(1.1)),
                Figure.of(name(), "CPU of drain" + with, cost.drain(), "us")
                        .beside("with the fewest", smallest.drain())
                        .must(Target.ratioAtMost(1.1)));
    }

    /** Microseconds per message of the server, Redis and MySQL together. */
    private record Cost(double accept, double drain) {}
}
