package io.mykit.delay.test.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.queue.leader.LeaderElector.Role;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.test.leader.Contenders.Contender;
import io.mykit.delay.test.server.ServerProcess;
import io.mykit.delay.test.server.ZooKeeperEnsemble;
import io.mykit.delay.test.server.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Elections while processes die: nodes killed and frozen, ZooKeeper servers lost one by one. */
class ElectionFaultIT {
    private static final Logger LOG = LoggerFactory.getLogger(ElectionFaultIT.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private static ZooKeeperEnsemble zooKeeper;

    private Contenders contenders;

    @BeforeAll
    static void startZooKeeper() {
        zooKeeper = ZooKeeperEnsemble.start(dir, 3);
    }

    @AfterAll
    static void stopZooKeeper() {
        zooKeeper.close();
    }

    @BeforeEach
    void open() {
        contenders = new Contenders(zooKeeper.connectString());
    }

    @AfterEach
    void close() throws InterruptedException {
        contenders.close();
    }

    @Test
    @Tag("long")
    void aKilledLeaderIsReplacedAfterTheSessionTimeout() {
        try (ServerProcess node = startNode("killed")) {
            long epoch = Event.await(node, "BEGIN", 1).epoch();
            Contender standby = contenders.add();
            await().atMost(PATIENCE).until(() -> "killed".equals(leaderSeenBy(standby)));
            assertThat(standby.leads()).isFalse();
            long before = System.nanoTime();
            node.kill();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(standby::leads);
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
            LOG.info("killed leader replaced after {} ms (session timeout {})", tookMs, Contenders.SESSION);
            assertThat(tookMs).isLessThan(Contenders.SESSION.plusSeconds(8).toMillis());
            assertThat(standby.elector().epoch()).isGreaterThan(epoch);
            contenders.assertSound();
        }
    }

    @Test
    @Tag("long")
    void aFrozenLeaderFindsItsTermGoneWhenItWakesUp() {
        try (ServerProcess node = startNode("frozen")) {
            long epoch = Event.await(node, "BEGIN", 1).epoch();
            Contender standby = contenders.add();
            await().atMost(PATIENCE).until(() -> "frozen".equals(leaderSeenBy(standby)));
            node.freeze();
            await().atMost(PATIENCE).until(standby::leads);
            long thawed = System.nanoTime();
            node.thaw();
            long inactive = Event.await(node, "INACTIVE", 1).nanos();
            Event.await(node, "END", 1);
            long noticedMs = TimeUnit.NANOSECONDS.toMillis(inactive - thawed);
            LOG.info("thawed leader stopped after {} ms", noticedMs);
            assertThat(noticedMs).isLessThan(4000);
            assertThat(standby.leads()).isTrue();

            // Its session expired while it slept; it is in the row again, and leads when its turn comes.
            standby.elector().close();
            assertThat(Event.await(node, "BEGIN", 2).epoch()).isGreaterThan(epoch);
            assertThat(node.stop(Duration.ofSeconds(10))).isEqualTo(143);
            assertThat(Event.all(node, "END")).hasSize(2);
            contenders.assertSound();
        }
    }

    @Test
    @Tag("nightly")
    void theLossOfOneZooKeeperServerLeavesSomebodyLeading() {
        contenders.add();
        contenders.add();
        contenders.awaitLeader();
        for (boolean itsLeader : List.of(false, true)) {
            ZooKeeperServer lost =
                    itsLeader ? zooKeeper.leader() : zooKeeper.followers().get(0);
            lost.kill();
            await().atMost(PATIENCE)
                    .until(() -> zooKeeper.servers().stream()
                                    .filter(ZooKeeperServer::isServing)
                                    .count()
                            == 2);
            awaitSteadyLeader();
            lost.restart();
            zooKeeper.awaitServing();
            awaitSteadyLeader();
        }
        contenders.assertSound();
    }

    @Test
    @Tag("nightly")
    void aFrozenZooKeeperServerLeavesSomebodyLeading() {
        contenders.add();
        contenders.add();
        contenders.awaitLeader();
        ZooKeeperServer frozen = zooKeeper.leader();
        frozen.freeze();
        await().atMost(PATIENCE)
                .until(() -> zooKeeper.servers().stream()
                                .filter(server -> server != frozen && server.isServing())
                                .count()
                        == 2);
        awaitSteadyLeader();
        frozen.thaw();
        zooKeeper.awaitServing();
        awaitSteadyLeader();
        contenders.assertSound();
    }

    @Test
    @Tag("long")
    void withoutAMajorityNobodyLeadsUntilItIsBack() {
        contenders.add();
        contenders.add();
        Contender leader = contenders.awaitLeader();
        LeaderTerm term = leader.duty().term();
        List<ZooKeeperServer> lost = zooKeeper.servers().subList(0, 2);
        lost.forEach(ZooKeeperServer::kill);
        await().atMost(PATIENCE).until(() -> !term.isActive() && leader.duty().term() == null);
        assertThat(contenders.leaders()).isEmpty();
        assertThat(leader.elector().epoch()).isZero();
        await().atMost(PATIENCE).until(() -> leader.elector().role() == Role.DISCONNECTED);
        assertThat(leader.elector().check().up()).isFalse();
        assertThat(leader.elector().check().details()).containsEntry("connection", "DISCONNECTED");
        // Longer than the session lives: a returning node has to begin from nothing.
        await().atMost(PATIENCE)
                .during(Contenders.SESSION.plusSeconds(1))
                .until(() -> contenders.leaders().isEmpty());
        lost.forEach(ZooKeeperServer::restart);
        zooKeeper.awaitServing();
        awaitSteadyLeader();

        // The fitness marks of the contenders have come back as well.
        Contender unwell = contenders.awaitLeader();
        unwell.loses("index");
        await().atMost(PATIENCE).until(() -> contenders.leaders().size() == 1 && !unwell.leads());
        contenders.assertSound();
    }

    @Test
    @Tag("long")
    void startedWithoutZooKeeperItContendsWhenItComes() {
        zooKeeper.servers().forEach(ZooKeeperServer::kill);
        Contender waiting = contenders.add();
        Contender closedMeanwhile = contenders.add();
        assertThat(waiting.elector().role()).isEqualTo(Role.DISCONNECTED);
        assertThat(waiting.elector().check().up()).isFalse();
        closedMeanwhile.elector().close();
        zooKeeper.servers().forEach(ZooKeeperServer::restart);
        zooKeeper.awaitServing();
        assertThat(contenders.awaitLeader()).isEqualTo(waiting);
        assertThat(closedMeanwhile.duty().epochs()).isEmpty();
        contenders.assertSound();
    }

    /** A leader that ZooKeeper knows of, and not one that is about to notice that it lost its connection. */
    private void awaitSteadyLeader() {
        await().atMost(PATIENCE)
                .during(Duration.ofMillis(500))
                .until(() -> contenders.leaders().size() == 1);
    }

    private ServerProcess startNode(String id) {
        List<String> arguments = List.of(
                zooKeeper.connectString(),
                contenders.namespace,
                Long.toString(Contenders.SESSION.toMillis()),
                "queue",
                id);
        return ServerProcess.start(
                "node-" + id,
                dir,
                ServerProcess.java(List.of("-Xmx64m", "-XX:+UseSerialGC"), ElectionNode.class.getName(), arguments),
                Map.of());
    }

    /** The lines that a node printed. */
    private record Event(String what, long epoch, long nanos) {
        private static final Pattern LINE = Pattern.compile("^(BEGIN|INACTIVE|END) (\\d+) (\\d+)$", Pattern.MULTILINE);

        static List<Event> all(ServerProcess node, String what) {
            return LINE.matcher(node.log())
                    .results()
                    .filter(line -> line.group(1).equals(what))
                    .map(line -> new Event(what, Long.parseLong(line.group(2)), Long.parseLong(line.group(3))))
                    .toList();
        }

        static Event await(ServerProcess node, String what, int count) {
            return Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> all(node, what), events -> events.size() == count)
                    .get(count - 1);
        }
    }

    private static Object leaderSeenBy(Contender contender) {
        return contender.elector().check().details().get("leader");
    }
}
