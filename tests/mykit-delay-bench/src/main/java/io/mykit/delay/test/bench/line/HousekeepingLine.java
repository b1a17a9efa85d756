package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.bench.rig.StoredRows;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The effect on producers of the removal of old messages. */
public final class HousekeepingLine implements BenchLine {
    private static final int PER_SECOND = 1_000;
    private static final int CONNECTIONS = 64;
    /** More than messages are kept by default. */
    private static final Duration AGO = Duration.ofDays(30);

    @Override
    public String name() {
        return "housekeeping";
    }

    @Override
    public String about() {
        return "1,000 pushes a second while old messages are removed at the default rate, beside the same with retention off";
    }

    @Override
    public List<Figure> measure(Bout bout) throws InterruptedException {
        int count = bout.scale().stored() / 20;
        bout.rig().freshServer(retention(false));
        StoredRows rows = new StoredRows(bout.rig().databaseServer(), bout.rig().database());
        bout.say().accept("storing " + count + " finished messages");
        rows.addFinished(count, AGO);
        bout.rig().databaseServer().writeBehind();
        Samples samples = new Samples();
        // Without, with, without: an effect of time alone falls on both sides.
        for (boolean on : List.of(false, true, false)) {
            phase(bout, rows, samples, on);
        }
        return figures(samples);
    }

    private static void phase(Bout bout, StoredRows rows, Samples samples, boolean on) {
        String which = on ? " on" : " off";
        bout.say().accept("retention" + which);
        int port = bout.rig().nextServer(retention(on)).port();
        ByteBuffer push = Requests.push(Requests.delayed("accept", AcceptLine.DELAY_MS));
        try (HttpLoad client = new HttpLoad(port, CONNECTIONS)) {
            client.pace(push::duplicate, PER_SECOND, bout.scale().warmUp().dividedBy(2))
                    .clean();
            for (int run = 1; run <= bout.scale().runs(); run++) {
                long before = rows.finished();
                long start = System.nanoTime();
                CpuClock cpu = bout.rig().storeClock();
                Load load = client.pace(
                                push::duplicate, PER_SECOND, bout.scale().load().multipliedBy(2))
                        .clean();
                double seconds = (System.nanoTime() - start) / 1e9;
                samples.add("cpu" + which, cpu.lapTotal() / seconds);
                samples.add("p50" + which, load.millisAt(50));
                samples.add("p99" + which, load.millisAt(99));
                samples.add("removed" + which, (before - rows.finished()) / seconds);
            }
        }
        if (on && samples.median("removed on") <= 0) {
            throw new IllegalStateException("nothing was removed");
        }
    }

    private static Map<String, String> retention(boolean on) {
        return Map.of("retention.enabled", Boolean.toString(on));
    }

    private List<Figure> figures(Samples samples) {
        String without = "retention off";
        double cpu = samples.median("cpu on") - samples.median("cpu off");
        double removed = samples.median("removed on");
        return List.of(
                Figure.of(name(), "p50 of 1,000 pushes a second", samples.median("p50 on"), "ms")
                        .beside(without, samples.median("p50 off")),
                Figure.of(name(), "p99 of 1,000 pushes a second", samples.median("p99 on"), "ms")
                        .beside(without, samples.median("p99 off"))
                        .must(Target.ratioAtMost(1.25)),
                Figure.of(name(), "removed meanwhile", removed, "/s"),
                Figure.of(name(), "CPU of all, per message removed", cpu * 1e6 / removed, "us"));
    }
}
