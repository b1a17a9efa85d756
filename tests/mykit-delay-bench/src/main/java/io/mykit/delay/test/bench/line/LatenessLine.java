package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.CompilerClock;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.PacedProducers;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Sink;
import io.mykit.delay.test.bench.rig.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How long after its due time a message is in a consumer's hands, beside how long the broker alone takes. As many messages are
 * pushed as are delivered, so the line also shows what ordinary rates cost, and how long a push takes beside deliveries.
 */
public final class LatenessLine implements BenchLine {
    static final int MIN_DELAY_MS = 1_000;
    static final int MAX_DELAY_MS = 5_000;
    static final int PRODUCERS = 16;

    static final int HIGH = 2_000;
    static final int LOW = 500;
    private static final int IDLE = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration WARM_UP_ROUND = Duration.ofSeconds(10);
    /** Of a core: below it, the compilers of the server rest. */
    private static final double REST = 0.03;

    private static final int WARM_UP_ROUNDS = 12;

    @Override
    public String name() {
        return "lateness";
    }

    @Override
    public String about() {
        return "due time to arrival at 2,000, 500 and 1 a second, beside the broker's own send to arrival;"
                + " pushes and CPU of the same";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        List<Figure> figures = new ArrayList<>();
        List<Broker> brokers = bout.rig().brokers();
        figures.addAll(to(brokers.get(0), bout, HIGH));
        if (bout.scale().thorough()) {
            figures.addAll(to(brokers.get(1), bout, HIGH));
            figures.addAll(to(brokers.get(0), bout, LOW));
            bout.say().accept("JDBC and Redis without us");
            figures.addAll(RawPace.figures(name(), bout, HIGH));
            figures.addAll(RawPace.figures(name(), bout, LOW));
            figures.addAll(to(brokers.get(0), bout, IDLE));
        }
        return figures;
    }

    /** The figures of one broker, to whose topic the server that runs delivers. */
    List<Figure> to(Broker broker, Bout bout, int perSecond) throws Exception {
        String topic = broker.topic(Broker.Use.LATENESS);
        Duration time = bout.scale().lateness();
        try (Sink sink = broker.sink(topic)) {
            if (perSecond == HIGH) {
                warmUp(bout, broker.name() + ", ", round -> ours(bout, topic, sink, perSecond, round));
            }
            bout.say().accept(broker.name() + ", " + perSecond + " a second");
            Tally own = broker(broker, topic, sink, perSecond, time.dividedBy(3));
            CpuClock cpu = bout.rig().everybodysClock();
            CompilerClock compilers = bout.rig().compilerClock();
            Flow flow = flow(bout, topic, sink, perSecond, time);
            Map<String, Double> spent = cpu.lap();
            double compiled = compilers.lap();
            Tally ours = flow.arrivals();
            String at = String.format(Locale.ROOT, ", %,d/s to %s", perSecond, broker.name());
            List<Figure> figures = figures(ours, own, at, perSecond == HIGH ? goals(bout, broker) : List.of());
            if (perSecond > IDLE) {
                figures.add(Figure.of(
                        name(), "p50 of the pushes" + at, flow.pushes().millisAt(50), "ms"));
                figures.add(Figure.of(
                                name(), "p99 of the pushes" + at, flow.pushes().millisAt(99), "ms")
                        .must(Target.valueAtMost(6)));
                figures.addAll(cpu(spent, broker, ours.arrived(), at, perSecond == HIGH ? 250 : 600));
                figures.add(Figure.of(
                        name(),
                        "CPU of the server's compilers, a part of it" + at,
                        compiled * 1e6 / ours.arrived(),
                        "us"));
            }
            return figures;
        }
    }

    private List<Figure> cpu(Map<String, Double> spent, Broker broker, long messages, String at, double bound) {
        List<Figure> figures = new ArrayList<>();
        double all = 0;
        for (String part : List.of("server", "Redis", "database", broker.name())) {
            double micros = spent.get(part) * 1e6 / messages;
            all += part.equals(broker.name()) ? 0 : micros;
            figures.add(Figure.of(name(), "CPU of " + part + at, micros, "us"));
        }
        figures.add(
                Figure.of(name(), "CPU of all but the broker" + at, all, "us").must(Target.valueAtMost(bound)));
        return figures;
    }

    /** At an ordinary rate the compilers of a new server take more CPU than the messages, for one to three minutes. */
    static void warmUp(Bout bout, String prefix, Round round) throws InterruptedException {
        if (!bout.scale().thorough()) {
            return;
        }
        bout.say().accept(prefix + "warming up until the compilers rest");
        CompilerClock compilers = bout.rig().compilerClock();
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            long begin = System.nanoTime();
            round.run(WARM_UP_ROUND);
            if (compilers.lap() < REST * (System.nanoTime() - begin) / 1e9) {
                return;
            }
        }
        bout.say().accept("the compilers do not rest yet");
    }

    /** Load for a time. */
    @FunctionalInterface
    interface Round {
        void run(Duration time) throws InterruptedException;
    }

    /** So many a second with delays of 1 to 5 s, until the last has arrived. */
    static Tally ours(Bout bout, String topic, Sink sink, int perSecond, Duration time) throws InterruptedException {
        return flow(bout, topic, sink, perSecond, time).arrivals();
    }

    private static Flow flow(Bout bout, String topic, Sink sink, int perSecond, Duration time)
            throws InterruptedException {
        Tally tally = sink.restart();
        try (HttpLoad client = new HttpLoad(bout.rig().server().port(), 32)) {
            Load load = client.pace(
                            () -> Requests.push(
                                    Requests.delayed(topic, bout.random().nextInt(MIN_DELAY_MS, MAX_DELAY_MS + 1))),
                            perSecond,
                            time)
                    .clean();
            tally.await(load.answers(), PATIENCE);
            return new Flow(load, tally);
        }
    }

    private static Tally broker(Broker broker, String topic, Sink sink, int perSecond, Duration time) throws Exception {
        try (PacedProducers producers = new PacedProducers(broker, topic, PRODUCERS)) {
            // Connections and compilers first.
            Tally warm = sink.restart();
            warm.await(producers.pace(Math.max(20, perSecond), Duration.ofSeconds(1), LatenessLine::now), PATIENCE);
            Tally tally = sink.restart();
            tally.await(producers.pace(perSecond, time, LatenessLine::now), PATIENCE);
            return tally;
        }
    }

    static void now(Broker.Producer producer) throws Exception {
        producer.send(Tally.nowMicros());
    }

    /** Of the median, the p99 and the maximum above the broker's, in milliseconds. ActiveMQ takes more CPU for a message. */
    private static List<Double> goals(Bout bout, Broker broker) {
        return List.of(2.0, broker == bout.rig().brokers().get(0) ? 5.0 : 10.0, 60.0);
    }

    private List<Figure> figures(Tally ours, Tally own, String at, List<Double> goals) {
        List<Figure> figures = new ArrayList<>();
        double[] percentiles = {50, 99, 100};
        String[] names = {"p50", "p99", "max"};
        for (int i = 0; i < names.length; i++) {
            double late = ours.millisAt(percentiles[i]);
            double alone = own.millisAt(percentiles[i]);
            figures.add(Figure.of(name(), names[i] + at, late, "ms").beside("the broker alone", alone));
            Figure above = Figure.of(name(), names[i] + " above the broker's" + at, late - alone, "ms");
            figures.add(goals.isEmpty() ? above : above.must(Target.valueAtMost(goals.get(i))));
        }
        figures.add(Figure.of(name(), "early" + at, (double) ours.early(), "messages")
                .must(Target.valueAtMost(0)));
        return figures;
    }

    /**
     * A paced load, from the pushes to the arrivals.
     *
     * @param pushes from the planned moment to the answer
     * @param arrivals from the due time to the consumer
     */
    private record Flow(Load pushes, Tally arrivals) {}
}
