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

/**
 * The raw ceiling of ordinary rates: the rows and moves of a message by plain JDBC and plain Redis commands, at a steady rate. One
 * thread does it for so many messages together: the fewer they are, the more commits and exchanges a message costs.
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
                pace(rows, index, perSecond, together, WARM_UP);
                CpuClock cpu = bout.rig()
                        .rawClock(
                                bout.rig().databaseServer().pid(),
                                bout.rig().redis().pid());
                long messages = pace(rows, index, perSecond, together, TIME);
                double micros = cpu.lapTotal() * 1e6 / messages;
                String what = String.format(
                        Locale.ROOT, "raw: CPU of database, Redis and client, %,d/s, %d together", perSecond, together);
                figures.add(Figure.of(line, what, micros, "us"));
            }
        }
        return figures;
    }

    private static long pace(RawRows rows, RawIndex index, int perSecond, int together, Duration time) {
        Pace pace = new Pace(System.nanoTime(), (double) perSecond / together);
        long turns = time.toMillis() * perSecond / 1000 / together;
        for (long turn = 0; turn < turns; turn++) {
            LockSupport.parkNanos(pace.intendedNanos(turn) - System.nanoTime());
            List<String> inserted = rows.insert(together);
            List<byte[]> added = index.add(together);
            index.deliver(added);
            rows.finish(inserted);
        }
        return turns * together;
    }
}
