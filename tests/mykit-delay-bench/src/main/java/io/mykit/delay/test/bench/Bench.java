package io.mykit.delay.test.bench;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Table;
import io.mykit.delay.test.bench.line.BenchLine;
import io.mykit.delay.test.bench.line.Bout;
import io.mykit.delay.test.bench.line.Findings;
import io.mykit.delay.test.bench.rig.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The program behind {@code bin/bench}. */
public final class Bench {
    private static final long STARTED = System.nanoTime();

    private Bench() {}

    /** Exit codes: 0 measured, 1 a line failed, 2 wrong command line, 3 took too long. */
    public static void main(String[] arguments) {
        Options options;
        try {
            options = Options.parse(arguments);
            Lines.chosen(options);
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(2);
            return;
        }
        if (options.help()) {
            System.out.print(Help.text());
            return;
        }
        stopAfter(options.extent().maxMinutes);
        boolean well = false;
        try {
            well = run(options, String.join(" ", arguments));
        } catch (IOException | RuntimeException e) {
            System.err.println("bench: the servers did not start or stop as they should");
            e.printStackTrace();
        }
        // The clients of the brokers leave threads behind.
        System.exit(well ? 0 : 1);
    }

    private static boolean run(Options options, String command) throws IOException {
        String loadBefore = Machine.load();
        say("starting " + (options.mariaDb() ? "MariaDB" : "MySQL") + ", Redis, RocketMQ and ActiveMQ; load before: "
                + loadBefore);
        Findings findings = new Findings();
        List<String> failed = new ArrayList<>();
        Map<String, Object> machine;
        Path dir =
                Path.of("target", "bench", Long.toString(ProcessHandle.current().pid()));
        try (Rig rig = new Rig(dir, options.mariaDb(), options.javaOptions(), options.profile())) {
            machine = Machine.describe(rig, ("bin/bench " + command).strip(), loadBefore);
            for (BenchLine line : Lines.chosen(options)) {
                Bout bout = new Bout(
                        rig,
                        options.scale(),
                        new Random(options.seed()),
                        findings,
                        text -> say(line.name() + ": " + text));
                bout.say().accept(line.about());
                try {
                    Others others = new Others();
                    List<Figure> found = new ArrayList<>(line.measure(bout));
                    found.add(Figure.of(line.name(), "other work on this machine", others.lap(), "cores"));
                    findings.add(found);
                    System.out.println(Table.of(found));
                } catch (Exception e) {
                    failed.add(line.name());
                    e.printStackTrace();
                }
                if (options.json() != null) {
                    // A run that is given up, or stopped, keeps the figures that it had.
                    write(options.json(), findings.all(), failed, machine);
                }
            }
        }
        if (failed.isEmpty()) {
            delete(dir);
        }
        print(findings.all(), failed, machine);
        return failed.isEmpty();
    }

    private static void print(List<Figure> figures, List<String> failed, Map<String, Object> machine) {
        System.out.println();
        machine.forEach((name, value) -> System.out.println("- " + name + ": " + value));
        System.out.println();
        System.out.print(Table.of(figures));
        failed.forEach(line -> System.out.println("FAILED: " + line));
        say("done");
    }

    private static void write(Path file, List<Figure> figures, List<String> failed, Map<String, Object> machine)
            throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Figure figure : figures) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("line", figure.line());
            row.put("what", figure.what());
            row.put("value", figure.value());
            row.put("unit", figure.unit());
            if (!Double.isNaN(figure.raw())) {
                row.put("ceiling", figure.ceiling());
                row.put("raw", figure.raw());
                row.put("ratio", figure.ratio());
            }
            if (figure.target() != null) {
                row.put("target", figure.target().toString());
                row.put("verdict", figure.verdict());
            }
            rows.add(row);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("machine", machine);
        all.put("figures", rows);
        all.put("failed", failed);
        Files.writeString(file, JSON.toJSONString(all, JSONWriter.Feature.PrettyFormat) + "\n");
    }

    /** Deletes some gigabytes. If a line failed, the caller keeps them, with the servers' logs. */
    private static void delete(Path dir) throws IOException {
        try (Stream<Path> all = Files.walk(dir)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static void say(String text) {
        System.out.printf("[%3d s] %s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - STARTED), text);
    }

    private static void stopAfter(int minutes) {
        Threads.daemon("bench-watch", () -> {
                    try {
                        TimeUnit.MINUTES.sleep(minutes);
                    } catch (InterruptedException e) {
                        return;
                    }
                    System.err.println("bench: not done after " + minutes + " minutes, given up");
                    System.exit(3);
                })
                .start();
    }
}
