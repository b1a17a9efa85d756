package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What it costs that very many messages wait and none is due. */
public final class IdleLine implements BenchLine {
    /** After the last push and the last page written behind. */
    private static final int SETTLE_SECONDS = 3;

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
        RedisServer redis = bout.rig().redis();
        bout.rig().server();
        int missing =
                (int) Math.max(0, bout.scale().waiting() - bout.rig().buckets().pooled());
        Backlog.push(bout.rig(), missing, Requests.delayed("accept", AcceptLine.DELAY_MS));
        bout.say().accept("waiting until MySQL has written its pages");
        // That is the rest of the price of the pushes, and lasts for minutes unless MySQL is told to hurry.
        bout.rig().mysql().writeBehind();
        TimeUnit.SECONDS.sleep(bout.scale().thorough() ? 4L * SETTLE_SECONDS : SETTLE_SECONDS);
        bout.say().accept("watching for " + bout.scale().watch().toSeconds() + " s");
        CpuClock cpu = bout.rig().storeClock();
        long commands = commands(redis);
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(bout.scale().watch().toNanos());
        double seconds = (System.nanoTime() - start) / 1e9;
        // The question for their number is one itself.
        double perSecond = (commands(redis) - commands - 1) / seconds;
        Map<String, Double> spent = cpu.lap();

        List<Figure> figures = new ArrayList<>();
        spent.forEach((part, used) -> figures.add(Figure.of(name(), "CPU of " + part, 100 * used / seconds, "%")));
        double all = spent.values().stream().mapToDouble(Double::doubleValue).sum();
        figures.add(Figure.of(name(), "CPU of all", 100 * all / seconds, "% of a core")
                .must(Target.valueAtMost(1)));
        figures.add(Figure.of(name(), "Redis commands", perSecond, "/s").must(Target.valueAtMost(20)));
        return figures;
    }

    private static long commands(RedisServer redis) {
        return Long.parseLong(redis.info("total_commands_processed"));
    }
}
