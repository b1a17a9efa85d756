package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Requests;
import java.util.ArrayList;
import java.util.List;

/** The cost of very many waiting messages of which none is due. */
public final class IdleLine implements BenchLine {
    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String about() {
        return "CPU of every process and Redis commands while all wait and nothing is due for an hour";
    }

    @Override
    public List<Figure> measure(Bout bout) throws InterruptedException {
        bout.rig().server();
        int missing =
                (int) Math.max(0, bout.scale().waiting() - bout.rig().buckets().pooled());
        Backlog.push(bout.rig(), missing, Requests.delayed("accept", AcceptLine.DELAY_MS));
        Rest rest = Rest.watch(bout, bout.scale().watch());
        List<Figure> figures = new ArrayList<>();
        rest.percent().forEach((part, percent) -> figures.add(Figure.of(name(), "CPU of " + part, percent, "%")));
        figures.add(Figure.of(name(), "CPU of all", rest.all(), "% of a core").must(Target.valueAtMost(1)));
        figures.add(Figure.of(name(), "Redis commands", rest.commands(), "/s").must(Target.valueAtMost(20)));
        return figures;
    }
}
