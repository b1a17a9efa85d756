package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.OpenConsoles;
import io.mykit.delay.test.bench.rig.Requests;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long pushes take while operators look at the console. */
public final class ConsoleLine implements BenchLine {
    private static final int PUSHES_PER_SECOND = 1_000;
    private static final int CONSOLES = 20;
    private static final int PRODUCERS = 32;
    private static final int TURNS = 6;

    @Override
    public String name() {
        return "console";
    }

    @Override
    public String about() {
        return "p99 of 1,000 pushes a second while 20 pages of the console are open, beside the same without them";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        bout.rig().freshServer();
        Backlog.push(bout.rig(), bout.scale().waiting(), Requests.delayed("accept", AcceptLine.DELAY_MS));
        Samples samples = new Samples();
        bout.measure("", samples, into -> {
            measure(bout, into);
        });
        List<Figure> figures = new ArrayList<>();
        for (String percentile : List.of("p50", "p99")) {
            Figure figure = Figure.of(
                            name(), percentile + " of pushes, 20 consoles", samples.median("with " + percentile), "ms")
                    .beside("none is open", samples.median("without " + percentile));
            figures.add(percentile.equals("p99") ? figure.must(Target.ratioAtMost(1.05)) : figure);
        }
        figures.add(Figure.of(name(), "the same p99, pair by pair", samples.median("ratio p99"), "times"));
        figures.add(Figure.of(name(), "CPU of all servers, 20 consoles", samples.median("with cpu"), "cores")
                .beside("none is open", samples.median("without cpu")));
        figures.add(Figure.of(name(), "requests of the consoles", samples.median("asked"), "a turn"));
        return figures;
    }

    /** Pages are open and closed in turns of some seconds, and the medians are of turns: a stall of the disk hits few of them. */
    private static void measure(Bout bout, Samples into) {
        for (int turn = 0; turn < TURNS; turn++) {
            double without = push(bout, into, "without");
            try (OpenConsoles consoles = OpenConsoles.open(bout.rig().server().port(), CONSOLES)) {
                double with = push(bout, into, "with");
                into.add("ratio p99", with / without);
                into.add("asked", consoles.asked());
            }
        }
    }

    /** @return the p99, milliseconds */
    private static double push(Bout bout, Samples into, String when) {
        ByteBuffer push = Requests.push(Requests.delayed("accept", AcceptLine.DELAY_MS));
        Duration time = bout.scale().lateness().dividedBy(TURNS);
        CpuClock cpu = bout.rig().storeClock();
        try (HttpLoad client = new HttpLoad(bout.rig().server().port(), PRODUCERS)) {
            Load load = client.pace(push::duplicate, PUSHES_PER_SECOND, time).clean();
            into.add(when + " cpu", cpu.lapTotal() / load.seconds());
            into.add(when + " p50", load.millisAt(50));
            into.add(when + " p99", load.millisAt(99));
            return load.millisAt(99);
        }
    }
}
