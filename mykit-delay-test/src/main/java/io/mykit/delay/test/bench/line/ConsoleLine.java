package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
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
        for (int run = 0; run <= bout.scale().runs(); run++) {
            bout.say()
                    .accept(
                            run == 0
                                    ? "warming up"
                                    : "run " + run + " of " + bout.scale().runs());
            // The first time is for the compilers.
            Samples into = run == 0 ? new Samples() : samples;
            add(into, "without", push(bout));
            try (OpenConsoles consoles = OpenConsoles.open(bout.rig().server().port(), CONSOLES)) {
                add(into, "with", push(bout));
                into.add("asked", consoles.asked());
            }
        }
        List<Figure> figures = new ArrayList<>();
        for (String percentile : List.of("p50", "p99")) {
            Figure figure = Figure.of(
                            name(), percentile + " of pushes, 20 consoles", samples.median("with " + percentile), "ms")
                    .beside("none is open", samples.median("without " + percentile));
            figures.add(percentile.equals("p99") ? figure.must(Target.ratioAtMost(1.05)) : figure);
        }
        figures.add(Figure.of(name(), "requests of the consoles", samples.median("asked"), "a run"));
        return figures;
    }

    private static void add(Samples samples, String when, Load load) {
        samples.add(when + " p50", load.millisAt(50));
        samples.add(when + " p99", load.millisAt(99));
    }

    private static Load push(Bout bout) {
        ByteBuffer push = Requests.push(Requests.delayed("accept", AcceptLine.DELAY_MS));
        Duration time = bout.scale().lateness();
        try (HttpLoad client = new HttpLoad(bout.rig().server().port(), PRODUCERS)) {
            return client.pace(push::duplicate, PUSHES_PER_SECOND, time).clean();
        }
    }
}
