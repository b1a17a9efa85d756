package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
        figures.add(Figure.of(name(), "CPU of the server's compilers, a part of it", rest.compilers(), "%"));
        figures.add(Figure.of(name(), "CPU of all", rest.all(), "% of a core")
                .beside("the stores without a server", percentAlone(bout))
                .must(Target.valueAtMost(0.8)));
        figures.add(Figure.of(name(), "Redis commands", rest.commands(), "/s").must(Target.valueAtMost(20)));
        return figures;
    }

    /** Of a core: Redis and the database with the same contents, while nobody asks them for anything. */
    private static double percentAlone(Bout bout) throws InterruptedException {
        bout.say().accept("watching the stores without a server");
        Map<String, Double> percent =
                Rest.percent(bout.rig().storesAloneClock(), bout.scale().watch());
        bout.rig().nextServer(Map.of());
        return percent.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
