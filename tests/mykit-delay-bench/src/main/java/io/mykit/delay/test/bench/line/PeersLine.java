package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.PacedProducers;
import io.mykit.delay.test.bench.rig.Sink;
import io.mykit.delay.test.bench.rig.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The brokers' own delayed messages, measured in the same way as those of the server. */
public final class PeersLine implements BenchLine {
    private static final int PRODUCERS = 64;
    private static final int PER_SECOND = 2_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "peers";
    }

    @Override
    public String about() {
        return "RocketMQ's timer messages and ActiveMQ's scheduler: lateness, drain and accept of both";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        Broker rocket = bout.rig().brokers().get(0);
        Broker active = bout.rig().brokers().get(1);
        List<Figure> figures = new ArrayList<>();
        // These rates are well below the rate that each broker accepted before.
        figures.addAll(of(rocket, bout, new Bounds(5_000, 1, 0.75, 0.65)));
        figures.addAll(of(active, bout, new Bounds(800, 0.1, 8, 5)));
        return figures;
    }

    private List<Figure> of(Broker broker, Bout bout, Bounds bounds) throws Exception {
        List<Figure> figures = new ArrayList<>();
        String topic = "peer-" + broker.name();
        try (Sink sink = broker.sink(topic);
                PacedProducers producers = new PacedProducers(broker, topic, PRODUCERS)) {
            if (bout.scale().thorough()) {
                bout.say().accept(broker.name() + ", lateness");
                figures.addAll(lateness(broker, bout, sink, producers));
            }
            bout.say().accept(broker.name() + ", drain");
            double drain = drain(bout, sink, producers, bounds);
            double ours = bout.findings().value("drain", "rate to " + broker.name());
            figures.add(beside(broker, "drain", drain, ours, bounds.drain()));
        }
        for (int connections : AcceptLine.CONNECTIONS) {
            String what = "accept (" + connections + ")";
            bout.say().accept(broker.name() + ", accept, " + connections + " connections");
            double accept = accept(broker, connections, bout.scale().load());
            double ours = bout.findings().value("accept", "rate, " + connections + " connections");
            figures.add(beside(broker, what, accept, ours, bounds.accept()));
        }
        return figures;
    }

    private List<Figure> lateness(Broker broker, Bout bout, Sink sink, PacedProducers producers) throws Exception {
        producers.pace(PER_SECOND, Duration.ofSeconds(1), PeersLine::soon);
        TimeUnit.MILLISECONDS.sleep(LatenessLine.MAX_DELAY_MS + 1_000);
        Tally tally = sink.restart();
        Duration time = bout.scale().lateness().dividedBy(2);
        long start = System.nanoTime();
        long sent = producers.pace(PER_SECOND, time, PeersLine::soon);
        double rate = sent * 1e9 / (System.nanoTime() - start);
        tally.await(sent, PATIENCE);
        String by = " of " + broker.name() + "'s own";
        return List.of(
                Figure.of(name(), "lateness: sent" + by, rate, "/s"),
                Figure.of(name(), "lateness: p50" + by, tally.millisAt(50), "ms"),
                Figure.of(name(), "lateness: p99" + by, tally.millisAt(99), "ms"),
                Figure.of(name(), "lateness: max" + by, tally.millisAt(100), "ms"),
                Figure.of(name(), "lateness: early" + by, (double) tally.early(), "messages"));
    }

    private static double drain(Bout bout, Sink sink, PacedProducers producers, Bounds bounds) throws Exception {
        int count = (int) Math.round(bout.scale().drain() * bounds.share());
        long loadingMicros = TimeUnit.SECONDS.toMicros(count) / bounds.loadedPerSecond();
        long dueMicros = Tally.nowMicros() + loadingMicros + TimeUnit.SECONDS.toMicros(2);
        Tally tally = sink.restart();
        producers.send(count, producer -> producer.sendDelayed(dueMicros));
        long left = dueMicros - Tally.nowMicros();
        if (left < 0) {
            throw new IllegalStateException("due before they were all sent");
        }
        long due = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(left);
        tally.await(count, PATIENCE);
        return count * 1e9 / (tally.lastNanos() - due);
    }

    private static double accept(Broker broker, int producing, Duration time) throws Exception {
        try (PacedProducers producers = new PacedProducers(broker, "peer-unheard", producing)) {
            producers.saturate(time.dividedBy(2), PeersLine::inAnHour);
            long start = System.nanoTime();
            return producers.saturate(time, PeersLine::inAnHour) * 1e9 / (System.nanoTime() - start);
        }
    }

    private Figure beside(Broker broker, String what, double theirs, double ours, double atLeast) {
        if (Double.isNaN(ours)) {
            return Figure.of(name(), what + " of " + broker.name() + "'s own", theirs, "/s");
        }
        return Figure.of(name(), what + " of ours", ours, "/s")
                .beside(broker.name() + "'s own", theirs)
                .must(Target.ratioAtLeast(atLeast));
    }

    private static void soon(Broker.Producer producer) throws Exception {
        int delayMs = ThreadLocalRandom.current().nextInt(LatenessLine.MIN_DELAY_MS, LatenessLine.MAX_DELAY_MS + 1);
        producer.sendDelayed(Tally.nowMicros() + TimeUnit.MILLISECONDS.toMicros(delayMs));
    }

    private static void inAnHour(Broker.Producer producer) throws Exception {
        producer.sendDelayed(Tally.nowMicros() + TimeUnit.MILLISECONDS.toMicros(AcceptLine.DELAY_MS));
    }

    /**
     * The numbers that differ between the two brokers.
     *
     * @param loadedPerSecond a rate that the broker is sure to accept
     * @param share of the messages in the drain
     * @param accept the goal for this server's rate, as a multiple of the broker's
     * @param drain the same
     */
    private record Bounds(int loadedPerSecond, double share, double accept, double drain) {}
}
