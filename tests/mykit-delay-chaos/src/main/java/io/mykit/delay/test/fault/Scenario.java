package io.mykit.delay.test.fault;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Call;
import io.mykit.delay.test.fault.history.Callbacks;
import io.mykit.delay.test.fault.history.Index;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Window;
import io.mykit.delay.test.fault.injection.Injector;
import io.mykit.delay.test.fault.injection.Schedule;
import io.mykit.delay.test.fault.rig.Node;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.fault.rig.Team;
import io.mykit.delay.test.fault.watch.ClockWatch;
import io.mykit.delay.test.fault.watch.EpochWatch;
import io.mykit.delay.test.fault.watch.FailoverWatch;
import io.mykit.delay.test.fault.watch.LiveWatch;
import io.mykit.delay.test.fault.watch.Remains;
import io.mykit.delay.test.fault.workload.Consumer;
import io.mykit.delay.test.fault.workload.Mix;
import io.mykit.delay.test.fault.workload.Producers;
import io.mykit.delay.test.fault.workload.Pullers;
import io.mykit.delay.test.store.FlowAudit;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One run: work, faults, quiet, and the check of the remaining rows and keys.
 *
 * @param seed of the workload
 */
public record Scenario(Rig rig, Mix mix, Schedule schedule, long seed, java.util.function.Consumer<String> say) {
    /** After the last fault everything that is due has to come within this. */
    private static final long QUIET_MS = 60_000;

    /** Between two faults the backlog has to be worked off within this; a machine that is too slow for it goes on anyway. */
    private static final long WORK_OFF_MS = 45_000;
    /** So many messages may be overdue by {@link #OVERDUE_MS} when the next fault begins. */
    private static final long BACKLOG = 10;

    private static final long OVERDUE_MS = 1_000;
    private static final long LOOK_MS = 250;

    private static final Duration START = Duration.ofSeconds(30);

    /**
     * Runs it to its end. A run that never becomes quiet is a run with violations.
     *
     * @param enough asked before each fault
     */
    public Run run(BooleanSupplier enough) throws Exception {
        try (Consumer consumer = new Consumer(rig.broker(), mix.topics());
                Pullers pullers = new Pullers(rig, mix.consumers(), seed);
                EpochWatch epochs = new EpochWatch(rig);
                LiveWatch lives = new LiveWatch(rig);
                ClockWatch clocks = new ClockWatch(rig);
                FailoverWatch failovers = new FailoverWatch(rig)) {
            Injector injector = new Injector(rig, say);
            Window start = Window.start(System.currentTimeMillis(), START);
            Producers producers = new Producers(rig, mix, seed);
            try (producers) {
                injector.run(schedule, enough, this::workOff);
            }
            pullers.calm();
            say.accept("all healed, " + producers.count() + " messages sent; waiting for quiet");
            await(QUIET_MS, () -> isQuiet(consumer));
            if (injector.lostAPart()) {
                handOver();
            }
            await(QUIET_MS, () -> Remains.index(rig).pool().keySet().equals(waiting(Remains.rows(rig))));
            pullers.finish();
            producers.finishTeams();
            Map<String, Row> rows = Remains.rows(rig);
            // What the teams pull is not in the history: Apart alone judges their answers.
            rows.values().removeIf(row -> Team.isPulled(row.topic()));
            Index index = Remains.index(rig);
            return new Run(
                    producers.pushed(rows.values()),
                    seen(consumer),
                    Stream.of(List.of(start), injector.windows(), failovers.unasked(injector.windows()))
                            .flatMap(List::stream)
                            .toList(),
                    epochs.changes(),
                    lives.found(),
                    rows,
                    index,
                    FlowAudit.of(rig.databaseUrl()).violations(),
                    FlowAudit.of(rig.databaseUrl()).begunAgain(),
                    Stream.concat(producers.surprises().stream(), pullers.surprises().stream())
                            .toList(),
                    clocks.seen(),
                    new Callbacks(producers.callbacks(), rig.receivers().calls()),
                    pullers.pulls(),
                    Remains.dead(rig.databaseUrl()).stream()
                            .filter(dead -> !Team.isPulled(dead.topic()))
                            .toList(),
                    producers.shown(),
                    Rig.SESSION_TIMEOUT);
        }
    }

    /** From the broker, and from the receivers if they accepted it. */
    private List<Seen> seen(Consumer consumer) {
        Stream<Seen> accepted =
                rig.receivers().calls().stream().filter(Call::isAccepted).map(Call::seen);
        return Stream.concat(consumer.seen().stream(), accepted)
                .sorted(Comparator.comparingLong(Seen::atMs))
                .toList();
    }

    /** No message is due and unfinished, and all finished messages have arrived. */
    private boolean isQuiet(Consumer consumer) throws Exception {
        Set<String> seen = seen(consumer).stream().map(Seen::id).collect(Collectors.toSet());
        Map<String, Row> rows = Remains.rows(rig);
        long dueAndUnfinished = FlowAudit.of(rig.databaseUrl())
                .rows("status IN (0, 1, 2, 5) AND due_time < "
                        + (System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(10)));
        return dueAndUnfinished == 0
                && rows.values().stream()
                        .filter(row -> row.status() == MessageStatus.FINISH
                                && !row.topic().equals(Rig.PULLED)
                                && !Team.isPulled(row.topic()))
                        .allMatch(row -> seen.contains(row.id()));
    }

    /** Waits until few messages are overdue. A message of a consumer is overdue as long as it is held, and those
     * of the slow receiver are by plan, so these do not count. */
    private Void workOff() throws Exception {
        await(WORK_OFF_MS, () -> overdue() <= BACKLOG);
        return null;
    }

    private long overdue() throws Exception {
        return FlowAudit.of(rig.databaseUrl())
                .rows("status IN (0, 1, 2) AND topic <> '" + Rig.PULLED + "' AND topic NOT LIKE '%/" + Team.PULLED
                        + "' AND id NOT LIKE 's%' AND due_time < "
                        + (System.currentTimeMillis() - OVERDUE_MS));
    }

    private static Set<String> waiting(Map<String, Row> rows) {
        return rows.values().stream().filter(Row::belongsIntoRedis).map(Row::id).collect(Collectors.toSet());
    }

    /** A new leader begins with a walk over all that waits: where a part of Redis was lost, it is put back now. */
    private void handOver() {
        say.accept("handing over, so that a new leader looks for what single keys held");
        Node old = rig.leader().orElseThrow();
        old.terminate();
        old.awaitEnd();
        old.restart();
    }

    private static void await(long atMostMs, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMs);
        while (!condition.call() && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }
}
