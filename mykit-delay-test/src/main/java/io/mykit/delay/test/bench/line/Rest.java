package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.Rig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The CPU, commands and statements of all processes with nothing to deliver.
 *
 * @param percent of a core, by process
 * @param commands of Redis a second, those of scripts included
 * @param statements of MySQL a second
 */
record Rest(Map<String, Double> percent, double commands, double statements) {
    /** Watches for so long, once the last page is written behind. */
    static Rest watch(Bout bout, Duration time) throws InterruptedException {
        Rig rig = bout.rig();
        bout.say().accept("waiting until the database has written its pages");
        // These writes belong to the cost of the work before, and last for minutes unless the database is told to
        // hurry.
        rig.databaseServer().writeBehind();
        TimeUnit.SECONDS.sleep(bout.scale().thorough() ? 12 : 3);
        bout.say().accept("watching for " + time.toSeconds() + " s");
        CpuClock cpu = rig.storeClock();
        long commands = commands(rig);
        long statements = rig.databaseServer().status("Questions");
        long start = System.nanoTime();
        Map<String, Double> percent = percent(cpu, time);
        double seconds = (System.nanoTime() - start) / 1e9;
        // The question itself is a statement, and so is the first question of a driver.
        return new Rest(
                percent,
                (commands(rig) - commands - 1) / seconds,
                (rig.databaseServer().status("Questions") - statements) / seconds);
    }

    /** The CPU of processes in so long a time, in percent of a core. */
    static Map<String, Double> percent(CpuClock cpu, Duration time) throws InterruptedException {
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        double seconds = (System.nanoTime() - start) / 1e9;
        Map<String, Double> percent = new LinkedHashMap<>();
        cpu.lap().forEach((part, used) -> percent.put(part, 100 * used / seconds));
        return percent;
    }

    double all() {
        return percent.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static long commands(Rig rig) {
        return Long.parseLong(rig.redis().info("total_commands_processed"));
    }
}
