package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.Rig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The cost of very many due messages whose broker is away: the auditor compares them again and again, and finds all in order. */
public final class AuditLine implements BenchLine {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public String about() {
        return "CPU, Redis commands and statements while a million are due and RocketMQ is dead, beside the same before";
    }

    @Override
    public List<Figure> measure(Bout bout) throws InterruptedException {
        Rig rig = bout.rig();
        int count = bout.scale().stored() / 10;
        int port = rig.freshServer().port();
        String topic = rig.brokers().get(0).topic(Broker.Use.DRAIN);
        rig.killRocketMq();
        try {
            bout.say().accept("warming up");
            AcceptLine.saturate(port, 64, bout.scale().warmUp().dividedBy(2));
            Rest before = Rest.watch(bout, bout.scale().watch());
            long others = rig.buckets().pooled();
            bout.say().accept("pushing " + count);
            Backlog.push(rig, count, Requests.delayed(topic, 0));
            awaitReady(rig, topic, others + count);
            return figures(Rest.watch(bout, bout.scale().watch().multipliedBy(2)), before);
        } finally {
            // No later line needs them.
            rig.freshServer();
            rig.restartRocketMq();
        }
    }

    /** A few wait for their next try. */
    private static void awaitReady(Rig rig, String topic, long pooled) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (rig.buckets().waiting(topic) > pooled / 100) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not all were found due within " + PATIENCE);
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        if (rig.buckets().pooled() < pooled) {
            throw new IllegalStateException("some are gone, although their broker is");
        }
    }

    private List<Figure> figures(Rest due, Rest before) {
        List<Figure> figures = new ArrayList<>();
        String none = "none due";
        due.percent()
                .forEach((part, percent) -> figures.add(Figure.of(name(), "CPU of " + part, percent, "%")
                        .beside(none, before.percent().get(part))));
        figures.add(
                Figure.of(name(), "CPU of all above the same with none due", due.all() - before.all(), "% of a core")
                        .must(Target.valueAtMost(3)));
        figures.add(Figure.of(name(), "Redis commands, those of scripts included", due.commands(), "/s")
                .beside(none, before.commands()));
        figures.add(Figure.of(name(), "statements", due.statements(), "/s").beside(none, before.statements()));
        return figures;
    }
}
