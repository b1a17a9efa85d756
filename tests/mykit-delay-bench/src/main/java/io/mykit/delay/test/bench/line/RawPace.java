package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Pace;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.RawIndex;
import io.mykit.delay.test.bench.rig.RawRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * The raw ceiling of ordinary rates: the rows and moves of a message by plain JDBC and plain Redis commands, at a steady rate. One
 * thread does it for so many messages together: the fewer they are, the more commits and exchanges a message costs. The p99 of the pushes
 * shows what the flushes of the database alone take.
 */
final class RawPace {
    private static final List<Integer> TOGETHER = List.of(1, 2, 4, 16);
    /** One thread cannot make many more: a turn has two commits. */
    private static final int MAX_TURNS_PER_SECOND = 500;

    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration TIME = Duration.ofSeconds(10);

    private RawPace() {}

    static List<Figure> figures(String line, Bout bout, int perSecond) {
        List<Figure> figures = new ArrayList<>();
        try (RawRows rows = new RawRows(bout.rig().databaseServer(), bout.rig().database());
                RawIndex index = new RawIndex(bout.rig().redis())) {
            for (int together : TOGETHER) {
                if (perSecond > MAX_TURNS_PER_SECOND * together) {
                    continue;
                }
                pace(rows, index, perSecond, together, WARM_UP, new Histogram(2));
                CpuClock cpu = bout.rig()
                        .rawClock(
                                bout.rig().databaseServer().pid(),
                                bout.rig().redis().pid());
                Histogram pushes = new Histogram(2);
                long messages = pace(rows, index, perSecond, together, TIME, pushes);
                double micros = cpu.lapTotal() * 1e6 / messages;
                String at = String.format(Locale.ROOT, ", %,d/s, %d together", perSecond, together);
                figures.add(Figure.of(line, "raw: CPU of database, Redis and client" + at, micros, "us"));
                figures.add(
                        Figure.of(line, "raw: p99 of the pushes" + at, pushes.getValueAtPercentile(99) / 1000.0, "ms"));
            }
        }
        return figures;
    }

    /** @param pushes gets the microseconds from the planned moment to the end of the writes of a push */
    private static long pace(
            RawRows rows, RawIndex index, int perSecond, int together, Duration time, Histogram pushes) {
        Pace pace = new Pace(System.nanoTime(), (double) perSecond / together);
        long turns = time.toMillis() * perSecond / 1000 / together;
        for (long turn = 0; turn < turns; turn++) {
            LockSupport.parkNanos(pace.intendedNanos(turn) - System.nanoTime());
            List<String> inserted = rows.insert(together);
            List<byte[]> added = index.add(together);
            pushes.recordValue(Math.max(0, System.nanoTime() - pace.intendedNanos(turn)) / 1_000);
            index.deliver(added);
            rows.finish(inserted);
        }
        return turns * together;
    }
}
