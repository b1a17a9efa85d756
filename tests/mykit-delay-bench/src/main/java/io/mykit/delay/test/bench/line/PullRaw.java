package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.RawHolds;
import io.mykit.delay.test.bench.rig.RawRows;
import java.util.ArrayList;
import java.util.List;

/** The same work without this server: the moves of lmstfy in Redis, and the rows of the outcomes in MySQL. */
final class PullRaw {
    private PullRaw() {}

    static void measure(Bout bout, Samples samples) throws Exception {
        bout.measure("raw, ", samples, into -> {
            for (PullWork work : PullWork.values()) {
                redis(bout, into, work);
                rows(bout, into, work);
            }
        });
    }

    private static void redis(Bout bout, Samples samples, PullWork work) throws Exception {
        int count = work.messages(bout.scale());
        try (RawHolds holds = new RawHolds(bout.rig().redis(), work.consumers())) {
            holds.add(count);
            CpuClock cpu = bout.rig().rawClock(bout.rig().redis().pid());
            long start = System.nanoTime();
            holds.drain(work.together());
            double seconds = (System.nanoTime() - start) / 1e9;
            work.addRaw(samples, count / seconds, cpu.lapTotal() * 1e6 / count);
        }
    }

    /** FINISH of each message, so many a transaction as a consumer acknowledges together. */
    private static void rows(Bout bout, Samples samples, PullWork work) {
        int count = Math.min(work.messages(bout.scale()), 200 * work.together());
        try (RawRows rows = new RawRows(bout.rig().databaseServer(), bout.rig().database())) {
            List<List<String>> inserted = new ArrayList<>();
            for (int done = 0; done < count; done += work.together()) {
                inserted.add(rows.insert(work.together()));
            }
            CpuClock cpu = bout.rig().rawClock(bout.rig().databaseServer().pid());
            long start = System.nanoTime();
            inserted.forEach(rows::finish);
            double seconds = (System.nanoTime() - start) / 1e9;
            work.addRawRows(samples, count / seconds, cpu.lapTotal() * 1e6 / count);
        }
    }
}
