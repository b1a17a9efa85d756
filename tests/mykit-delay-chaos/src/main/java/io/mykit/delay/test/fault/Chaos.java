package io.mykit.delay.test.fault;

import io.mykit.delay.test.fault.halt.Halts;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.injection.Faults;
import io.mykit.delay.test.fault.injection.Schedule;
import io.mykit.delay.test.fault.rig.NodeOptions;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.fault.workload.Mix;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program behind {@code bin/chaos}. */
public final class Chaos {
    private static final long STARTED = System.nanoTime();

    private static final int CONSUMERS = 12;

    /** Beside the one with a horizon. */
    private static final int LANES = 2;

    private Chaos() {}

    /** Exit codes: 0 every promise was kept, 1 one was broken or the run failed, 2 wrong command line. */
    public static void main(String[] arguments) {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("chaos: " + e.getMessage());
            System.exit(2);
            return;
        }
        if (options.help()) {
            System.out.print(help());
            return;
        }
        boolean kept = false;
        Path dir = Path.of(
                        "target",
                        "chaos",
                        options.seed() + "-" + ProcessHandle.current().pid())
                .toAbsolutePath();
        try {
            kept = options.points() ? halt(dir) : run(options, dir);
        } catch (Exception e) {
            System.err.println("chaos: the run did not get to its end; seed " + options.seed());
            e.printStackTrace();
        }
        System.out.println("logs: " + dir);
        // The clients of the brokers leave threads behind.
        System.exit(kept ? 0 : 1);
    }

    private static boolean run(Options options, Path dir) throws Exception {
        say("starting ZooKeeper, Redis, MySQL, a broker and two nodes: " + options.variant() + "; seed "
                + options.seed());
        Report report;
        NodeOptions nodes = NodeOptions.lasting(horizon(options.seed())).withTeams(options.namespaces());
        Mix mix = Mix.LONG.withConsumers(options.consumers() ? CONSUMERS : 0).withTeams(options.namespaces());
        try (Rig rig = Rig.start(dir, options.variant(), nodes)) {
            rig.broker().create(mix.topics().stream().map(rig.broker()::named).toList());
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(options.minutes());
            Schedule schedule = Schedule.random(options.faults(), options.seed());
            Run run = new Scenario(rig, mix, schedule, options.seed(), Chaos::say).run(() -> System.nanoTime() > end);
            report = new Report(run);
        }
        System.out.println();
        System.out.print(report.text());
        System.out.println((report.kept() ? "every promise was kept" : "PROMISES WERE BROKEN") + "; seed "
                + options.seed() + ", " + options.minutes() + " minutes, " + options.variant());
        return report.kept();
    }

    /** Which of the two horizons: by the seed, so that a run can be repeated by its options. */
    private static Duration horizon(long seed) {
        return seed % 2 == 0 ? NodeOptions.LONG_HORIZON : NodeOptions.SHORT_HORIZON;
    }

    private static boolean halt(Path dir) throws Exception {
        say("halting a server at " + Halts.names().size() + " points, one after the other, on three lanes");
        List<String> violations = new Halts(Chaos::say).play(dir, Halts.names(), LANES);
        violations.forEach(each -> System.out.println("BROKEN " + each));
        System.out.println(violations.isEmpty() ? "every death was made good" : "PROMISES WERE BROKEN");
        return violations.isEmpty();
    }

    private static void say(String text) {
        System.out.printf("[%4d s] %s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - STARTED), text);
    }

    private static String help() {
        return """
                Tries to break the promises: two packaged servers with ZooKeeper, Redis, MySQL and a broker, all as processes of
                their own on 127.0.0.1, and receivers of callbacks, under load, while parts die, freeze, forget and are
                cut off. Thousands of messages wait for a receiver that is slow. Afterwards every promise is checked,
                message by message. Everything is stopped at the end and at Ctrl-C.

                usage: bin/chaos [options]

                  --minutes N        how long faults are injected (5); start and quiet come on top, about two minutes
                  --seed N           of the schedule and the workload (1); the same seed, the same schedule
                  --broker NAME      activemq (default), kafka, rocketmq, or rocketmq-pair: a master with a synchronous replica
                                     rabbitmq: it has to be installed; qpid: another broker for the channel rabbitmq
                                     grpc: no broker, but a receiver of calls
                  --redis NAME       memory (default): one server that keeps nothing on disk
                                     rdb: one that comes back with an older snapshot; aof: with all that it had
                                     sentinel: master, replica and three sentinels; cluster: three shards
                  --mysql NAME       single (default), or replica: a primary with a replica that is promoted
                  --faults A,B       only these
                  --consumers        a part of the messages is for consumers that pull, work, die and hang
                  --namespaces       two teams work beside, each with a namespace and a token, and with the same topics and ids
                  --points           instead of all that: halts a server at every step of its work, once each
                  --help             this text

                Exit code 0: every promise was kept. 1: see what is printed, and the logs that it names.

                faults (some of them with some servers only):
                """ + "  " + String.join("\n  ", Faults.names()) + "\n";
    }
}
