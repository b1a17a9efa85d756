package io.mykit.delay.test.leader;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.queue.leader.CuratorLeaderElector;
import io.mykit.delay.queue.leader.LeaderElector.Role;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.test.leader.Contenders.Contender;
import io.mykit.delay.test.server.SharedServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Elections that leave ZooKeeper unharmed. */
class CuratorLeaderElectorIT {
    private static final Logger LOG = LoggerFactory.getLogger(CuratorLeaderElectorIT.class);
    private static final String ELECTION = "/leader/queue";

    private Contenders contenders;
    private CuratorFramework operator;

    @BeforeEach
    void open() {
        contenders = new Contenders(SharedServers.zooKeeper().connectString());
        operator = contenders.operator();
    }

    @AfterEach
    void close() throws InterruptedException {
        operator.close();
        contenders.close();
    }

    @Test
    void exactlyOneOfThreeLeadsAndEachClosedLeaderIsReplacedAtOnceWithAHigherEpoch() {
        contenders.add();
        contenders.add();
        contenders.add();
        List<Long> epochs = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            Contender leader = contenders.awaitLeader();
            epochs.add(leader.elector().epoch());
            contenders.assertSound();
            long before = System.nanoTime();
            leader.elector().close();
            if (round < 2) {
                contenders.awaitLeader();
                long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
                LOG.info("handed over gracefully in {} ms", tookMs);
                assertThat(tookMs).isLessThan(Contenders.SESSION.toMillis());
            }
        }
        assertThat(epochs).isSorted().doesNotHaveDuplicates().allMatch(epoch -> epoch > 0);
        assertThat(contenders.leaders()).isEmpty();
        contenders.assertSound();
    }

    @Test
    void healthTellsEveryNodeWhoLeads() {
        Contender first = contenders.add();
        contenders.awaitLeader();
        Contender second = contenders.add();
        await().until(() -> "node-1".equals(second.elector().check().details().get("leader")));

        assertThat(first.duty().term().isConfirmed()).isTrue();
        assertThat(first.elector().name()).isEqualTo("registry");
        assertThat(first.elector().check().up()).isTrue();
        assertThat(first.elector().check().details())
                .containsEntry("role", "LEADER")
                .containsEntry("leader", "node-1")
                .containsEntry("connection", "CONNECTED")
                .containsEntry("epoch", first.duty().epochs().get(0));
        assertThat(second.elector().check().details())
                .containsEntry("role", "STANDBY")
                .containsEntry("epoch", 0L);
        assertThat(second.elector().epoch()).isZero();
    }

    @Test
    void theDutyEndsBeforeTheStandbyBegins() {
        Contender standby = contenders.create(new RecordingDuty());
        List<Boolean> standbyLed = new ArrayList<>();
        RecordingDuty slow = new RecordingDuty() {
            @Override
            public void end() {
                // Long enough for a standby that was let in too early; the term still counts while work is laid down.
                assertThat(isActive()).isTrue();
                await().during(Duration.ofMillis(300)).until(() -> true);
                standbyLed.add(standby.duty().isActive());
                super.end();
            }
        };
        Contender leader = contenders.add(slow);
        contenders.awaitLeader();
        standby.elector().start();
        await().until(() -> operator.getChildren().forPath(ELECTION).size() == 2);
        leader.elector().close();
        assertThat(contenders.awaitLeader()).isEqualTo(standby);
        assertThat(standbyLed).containsExactly(false);
        contenders.assertSound();
    }

    @Test
    void aFencedTermEndsAndTheNodeContendsAgain() {
        Contender alone = contenders.add();
        LeaderTerm first = contenders.awaitLeader().duty().term();
        first.fenced();
        assertThat(first.isActive()).isFalse();
        await().until(() -> alone.leads());
        assertThat(alone.duty().epochs()).hasSize(2).isSorted();
        assertThat(alone.duty().ended()).isEqualTo(1);
        contenders.assertSound();
    }

    @Test
    void aFencedLeaderLetsTheStandbyGoFirst() {
        Contender first = contenders.add();
        contenders.awaitLeader();
        Contender second = contenders.add();
        await().until(() -> operator.getChildren().forPath(ELECTION).size() == 2);
        first.duty().term().fenced();
        await().until(second::leads);
        await().until(() -> operator.getChildren().forPath(ELECTION).size() == 2);
        assertThat(contenders.awaitLeader()).isEqualTo(second);
        contenders.assertSound();
    }

    @Test
    void aBeginThatThrowsIsEndedAndTriedAgain() {
        AtomicInteger begins = new AtomicInteger();
        Contender alone = contenders.add(new RecordingDuty() {
            @Override
            public void begin(LeaderTerm next) throws Exception {
                super.begin(next);
                if (begins.incrementAndGet() < 3) {
                    throw new IllegalStateException("the index is not there yet");
                }
            }
        });
        await().atMost(Duration.ofSeconds(20)).until(() -> begins.get() == 3 && alone.leads());
        assertThat(alone.duty().epochs()).hasSize(3).isSorted();
        assertThat(alone.duty().ended()).isEqualTo(2);
        contenders.assertSound();
    }

    @Test
    void theLeadersNodeDeletedByHandEndsItsTermAndSomebodyLeadsAgain() throws Exception {
        contenders.add();
        Contender leader = contenders.awaitLeader();
        contenders.add();
        await().until(() -> operator.getChildren().forPath(ELECTION).size() == 2);
        LeaderTerm term = leader.duty().term();
        for (String node : operator.getChildren().forPath(ELECTION)) {
            String id = new String(operator.getData().forPath(ELECTION + "/" + node), UTF_8);
            if (id.equals(leader.id())) {
                operator.delete().forPath(ELECTION + "/" + node);
            }
        }
        await().until(() -> !term.isActive());
        contenders.awaitLeader();
        await().until(() -> operator.getChildren().forPath(ELECTION).size() == 2);
        assertThat(contenders.leaders()).hasSize(1);
    }

    @Test
    void theWholeElectionDeletedByHandIsBuiltUpAgain() throws Exception {
        contenders.add();
        contenders.add();
        contenders.awaitLeader();
        await().until(() -> operator.getChildren().forPath(ELECTION).size() == 2);
        for (int round = 0; round < 3; round++) {
            LeaderTerm term = contenders.awaitLeader().duty().term();
            // Standbys put their nodes back while the path is being deleted, so it may have to be tried again.
            await().ignoreExceptions().until(() -> {
                operator.delete().deletingChildrenIfNeeded().forPath(ELECTION);
                return true;
            });
            await().until(() -> !term.isActive());
            contenders.awaitLeader();
            await().until(() -> operator.getChildren().forPath(ELECTION).size() == 2);
        }
    }

    @Test
    void aStandbysNodeDeletedByHandComesBack() throws Exception {
        Contender leader = contenders.add();
        contenders.awaitLeader();
        Contender standby = contenders.add();
        await().until(() -> operator.getChildren().forPath(ELECTION).size() == 2);
        for (String node : operator.getChildren().forPath(ELECTION)) {
            if (new String(operator.getData().forPath(ELECTION + "/" + node), UTF_8).equals(standby.id())) {
                operator.delete().forPath(ELECTION + "/" + node);
            }
        }
        await().until(() -> operator.getChildren().forPath(ELECTION).size() == 2);
        leader.elector().close();
        await().until(standby::leads);
        contenders.assertSound();
    }

    @Test
    void aNodeThatCouldNotBeMadeIsMadeWhenItCan() throws Exception {
        // The contender may read but not create: its latch logs that and never tries again by itself.
        List<ACL> closed = List.of(new ACL(Perms.READ | Perms.ADMIN, Ids.ANYONE_ID_UNSAFE));
        operator.create().creatingParentsIfNeeded().withACL(closed).forPath(ELECTION);
        Contender alone = contenders.add();
        await().until(() -> alone.elector().role() == Role.STANDBY);
        await().during(Duration.ofMillis(500)).until(() -> alone.duty().epochs().isEmpty());
        operator.setACL().withACL(Ids.OPEN_ACL_UNSAFE).forPath(ELECTION);
        await().until(alone::leads);
        assertThat(operator.getChildren().forPath(ELECTION)).hasSize(1);
        contenders.assertSound();
    }

    @Test
    void closedBeforeStartItNeverBegins() throws Exception {
        Contender closed = contenders.create(new RecordingDuty());
        closed.elector().close();
        closed.elector().start();
        closed.elector().close();
        Contender other = contenders.add();
        await().until(other::leads);
        other.elector().close();
        assertThat(operator.getChildren().forPath(ELECTION)).isEmpty();
        assertThat(closed.duty().epochs()).isEmpty();
        assertThat(closed.elector().role()).isEqualTo(Role.DISCONNECTED);
    }

    @Test
    void closedTwiceItEndsOnce() {
        Contender leader = contenders.add();
        contenders.awaitLeader();
        leader.elector().close();
        leader.elector().close();
        assertThat(leader.duty().ended()).isEqualTo(1);
        assertThat(leader.elector().epoch()).isZero();
        contenders.assertSound();
    }

    @Test
    void closedDuringBeginItEndsAfterBeginReturned() throws Exception {
        CountDownLatch beginning = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        Contender leader = contenders.add(new RecordingDuty() {
            @Override
            public void begin(LeaderTerm next) throws Exception {
                super.begin(next);
                beginning.countDown();
                await().until(() -> !next.isActive());
                returned.countDown();
            }
        });
        assertThat(beginning.await(20, TimeUnit.SECONDS)).isTrue();
        leader.elector().close();
        assertThat(returned.getCount())
                .as("begins that did not return by themselves")
                .isZero();
        assertThat(leader.duty().ended()).isEqualTo(1);
        assertThat(operator.getChildren().forPath(ELECTION)).isEmpty();
        contenders.assertSound();
    }

    @Test
    void closedByItsOwnDutyItStopsAfterwards() throws Exception {
        List<CuratorLeaderElector> self = new ArrayList<>();
        Contender leader = contenders.create(new RecordingDuty() {
            @Override
            public void begin(LeaderTerm next) throws Exception {
                super.begin(next);
                self.get(0).close();
            }
        });
        self.add(leader.elector());
        leader.elector().start();
        await().until(() -> leader.duty().ended() == 1);
        await().until(() -> operator.getChildren().forPath(ELECTION).isEmpty());
        contenders.assertSound();
    }

    @Test
    void withoutServersItSaysWhichKeyIsMissing() {
        assertThatThrownBy(() -> new CuratorLeaderElector(
                        ElectionNode.registry(null, "any", Duration.ofSeconds(6), Duration.ZERO),
                        "queue",
                        "id",
                        Set::of,
                        new RecordingDuty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mykit.delay.registry.server-list");
    }
}
