package io.mykit.delay.test.fault.halt;

import io.mykit.delay.test.fault.agent.Point;
import io.mykit.delay.test.fault.halt.Round.Trait;
import io.mykit.delay.test.fault.history.Window;
import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.MySqlServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Plays all rounds on several parallel lanes, because a lane mostly waits for its server to start. The lanes share MySQL and
 * the broker. In a lane, the life that repairs one death is the life that the next round ends.
 */
public final class Halts {
    private static final String FAR = "5s";

    private final Consumer<String> say;
    private final List<String> violations = new CopyOnWriteArrayList<>();

    public Halts(Consumer<String> say) {
        this.say = say;
    }

    /**
     * Starts the servers, plays, and stops them.
     *
     * @param dir for logs and data
     * @param names of the rounds to be played
     * @param lanes without horizon; one with a horizon comes on top
     * @return the broken promises, and the points that were not reached; empty: each death was repaired
     */
    public List<String> play(Path dir, List<String> names, int lanes) throws Exception {
        List<Round> near = select(names, false);
        List<Callable<Void>> works = new ArrayList<>();
        try (MySqlServer mysql = MySqlServer.start(dir.resolve("mysql"));
                ActiveMqServer broker = ActiveMqServer.start(dir.resolve("activemq"))) {
            for (int i = 0; i < lanes; i++) {
                List<Round> part = new ArrayList<>();
                for (int round = i; round < near.size(); round += lanes) {
                    part.add(near.get(round));
                }
                String name = "near" + i;
                works.add(() -> lane(name, dir.resolve(name), mysql, broker, "0s", part));
            }
            works.add(() -> lane("far", dir.resolve("far"), mysql, broker, FAR, select(names, true)));
            ExecutorService threads = Executors.newFixedThreadPool(works.size());
            try {
                for (Future<Void> done : threads.invokeAll(works)) {
                    done.get();
                }
            } finally {
                threads.shutdownNow();
            }
        }
        return List.copyOf(violations);
    }

    /** The names of all rounds. */
    public static List<String> names() {
        return Rounds.all().stream().map(Round::name).toList();
    }

    private static List<Round> select(List<String> names, boolean withHorizon) {
        return Rounds.all().stream()
                .filter(round -> names.contains(round.name()) && round.is(Trait.WITH_HORIZON) == withHorizon)
                .toList();
    }

    private Void lane(
            String name, Path dir, MySqlServer mysql, ActiveMqServer broker, String horizon, List<Round> rounds)
            throws Exception {
        Set<Point> points = Rounds.points();
        try (Lane lane = new Lane(name, dir, mysql, broker, horizon, points)) {
            Judge judge = new Judge(lane);
            List<Window> windows = new ArrayList<>();
            lane.server().live();
            for (Round round : rounds) {
                long fromMs = System.currentTimeMillis();
                play(lane, judge, round);
                windows.add(new Window(round.name(), fromMs, System.currentTimeMillis(), 0, -1));
            }
            judge.judge(windows).forEach((promise, found) -> found.forEach(each -> broken(promise, each)));
            repeated(judge, rounds);
        }
        return null;
    }

    private void play(Lane lane, Judge judge, Round round) throws Exception {
        long begin = System.nanoTime();
        lane.clients().beginRound(round.name());
        round.before().on(lane);
        Mortal server = lane.server();
        if (round.isAtStart()) {
            if (server.isAlive()) {
                server.kill();
            }
            server.liveUntil(round.point());
        } else {
            server.arm(round.point());
            round.driving().on(lane);
        }
        if (!server.diesThere()) {
            broken(round.name(), "the server did not die at " + round.point());
        }
        lane.healWires();
        long died = System.nanoTime();
        server.live();
        round.after().on(lane);
        judge.awaitQuiet().forEach(open -> broken(round.name(), open));
        say.accept(String.format(
                "%-28s %-60s dead after %4d ms, all good %5d ms later",
                round.name(),
                round.point(),
                TimeUnit.NANOSECONDS.toMillis(died - begin),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - died)));
    }

    /** One death repeats a message at most once, and only if it was sent and not recorded. */
    private void repeated(Judge judge, List<Round> rounds) {
        Set<String> may = rounds.stream()
                .filter(round -> round.is(Trait.MAY_REPEAT))
                .map(Round::name)
                .collect(Collectors.toSet());
        judge.arrivals().forEach((id, times) -> {
            int most = may.contains(id.substring(0, id.lastIndexOf('-'))) ? 2 : 1;
            if (times > most) {
                broken("DuplicatesBounded", id + ": arrived " + times + " times");
            }
        });
    }

    private void broken(String what, String how) {
        violations.add(what + ": " + how);
    }
}
