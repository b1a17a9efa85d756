package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.rig.CompilerClock;
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
 * @param compilers of the server, a part of it, percent of a core
 * @param commands of Redis a second, those of scripts included
 * @param statements of MySQL a second
 */
record Rest(Map<String, Double> percent, double compilers, double commands, double statements) {
    private static final Duration ROUND = Duration.ofSeconds(12);
    /** Percent of a core: below it, the compilers of the server rest. */
    private static final double COMPILERS_REST = 0.3;

    private static final int ROUNDS = 6;

    /** Watches for so long, once the last page is written behind. */
    static Rest watch(Bout bout, Duration time) throws InterruptedException {
        Rig rig = bout.rig();
        bout.say().accept("waiting until the database has written its pages");
        // These writes belong to the cost of the work before, and last for minutes unless the database is told to
        // hurry.
        rig.databaseServer().writeBehind();
        if (bout.scale().thorough()) {
            bout.say().accept("waiting until the compilers rest");
            awaitCompilers(rig);
        } else {
            TimeUnit.SECONDS.sleep(3);
        }
        bout.say().accept("watching for " + time.toSeconds() + " s");
        CpuClock cpu = rig.storeClock();
        CompilerClock compilers = rig.compilerClock();
        long commands = commands(rig);
        long statements = rig.databaseServer().status("Questions");
        long start = System.nanoTime();
        Map<String, Double> percent = percent(cpu, time);
        double seconds = (System.nanoTime() - start) / 1e9;
        // The question itself is a statement, and so is the first question of a driver.
        return new Rest(
                percent,
                100 * compilers.lap() / seconds,
                (commands(rig) - commands - 1) / seconds,
                (rig.databaseServer().status("Questions") - statements) / seconds);
    }

    /** What they compile is the code of the work before. They are watched as a part of the server if they do not rest. */
    private static void awaitCompilers(Rig rig) throws InterruptedException {
        CompilerClock compilers = rig.compilerClock();
        for (int i = 0; i < ROUNDS; i++) {
            TimeUnit.NANOSECONDS.sleep(ROUND.toNanos());
            if (100 * compilers.lap() < COMPILERS_REST * ROUND.toSeconds()) {
                return;
            }
        }
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
