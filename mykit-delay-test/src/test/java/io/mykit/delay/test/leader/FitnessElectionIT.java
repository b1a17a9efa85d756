package io.mykit.delay.test.leader;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.leader.Contenders.Contender;
import io.mykit.delay.test.server.SharedServers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Elections among nodes that cannot use all parts of the leader's work. */
@Tag("long")
class FitnessElectionIT {
    private static final String ELECTION = "/leader/queue";
    private static final String MARKS = "/fitness/queue";
    /** Noticed within two rounds, and given way to after the period. */
    private static final Duration PATIENCE = Contenders.UNFIT_AFTER.plusSeconds(18);
    /** Longer than the period and the time until the node notices. */
    private static final Duration LONGER = Contenders.UNFIT_AFTER.plusSeconds(2);

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
        contenders.assertSound();
    }

    @Test
    void aLeaderGivesWayToANodeThatCanUseMoreAndDoesNotComeBack() {
        Contender first = leader(contenders.add());
        Contender second = standby(contenders.add());
        first.loses("index", "channel broker");
        second.loses("channel broker");
        long begin = System.nanoTime();
        await().atMost(PATIENCE).until(second::leads);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Contenders.UNFIT_AFTER);
        assertThat(first.elector().check().details())
                .containsEntry("cannotUse", first.unusable().get())
                .extractingByKey("gaveWay")
                .asInstanceOf(MAP)
                .containsEntry("because", "could not use channel broker, index")
                .containsEntry("for", "node-2");

        first.loses();
        second.loses();
        await().atMost(PATIENCE).during(LONGER).untilAsserted(() -> {
            assertThat(second.duty().epochs()).hasSize(1);
            assertThat(second.leads()).isTrue();
        });
        assertThat(first.duty().epochs()).hasSize(1);
    }

    @Test
    void whatIsLostForAllMovesNothingAndStillSomeNodeLeads() {
        Contender first = leader(contenders.add());
        Contender second = standby(contenders.add());
        second.loses("index");
        await().atMost(PATIENCE).until(() -> "index".equals(mark(second)));
        first.loses("index");
        await().atMost(PATIENCE).during(LONGER).until(first::leads);
        // Each has lost something that the other has: neither is better.
        second.loses("store");
        await().atMost(PATIENCE).during(LONGER).until(first::leads);
        assertThat(first.duty().epochs()).hasSize(1);
        first.elector().close();
        await().atMost(PATIENCE).until(second::leads);
    }

    @Test
    void anUnfitWinnerLetsAFitOneGoFirst() {
        Contender first = leader(contenders.add());
        Contender unfit = contenders.create(new RecordingDuty());
        unfit.loses("index");
        unfit.elector().start();
        standby(unfit);
        Contender fit = standby(contenders.add());
        await().atMost(PATIENCE).until(() -> "index".equals(mark(unfit)) && "".equals(mark(fit)));
        first.elector().close();
        await().atMost(PATIENCE).until(fit::leads);
        assertThat(unfit.duty().epochs()).isEmpty();
    }

    @Test
    void whenTheBetterOneGoesInTheSameMomentTheOldLeaderLeadsOn() {
        AtomicReference<Contender> better = new AtomicReference<>();
        Contender first = leader(contenders.add(new RecordingDuty() {
            @Override
            public void end() {
                super.end();
                Contender gone = better.get();
                if (gone != null) {
                    gone.elector().close();
                }
            }
        }));
        better.set(standby(contenders.add()));
        first.loses("index");
        await().atMost(PATIENCE).until(() -> first.duty().epochs().size() == 2 && first.leads());
        assertThat(better.get().duty().epochs()).isEmpty();
    }

    @Test
    void aNodeThatSaysItIsWellAndNeverLeadsLeavesNoVacuum() throws Exception {
        Contender alone = leader(contenders.add());
        operator.create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(MARKS + "/ghost@1", new byte[0]);
        alone.loses("index");
        await().atMost(PATIENCE).until(() -> alone.duty().epochs().size() == 2 && alone.leads());
        assertThat(alone.elector().check().details().get("gaveWay").toString()).contains("ghost");
    }

    @Test
    void aNodeOfWhichNothingIsKnownIsNotBetter() throws Exception {
        Contender first = leader(contenders.add());
        contenders.addSilent();
        await().until(() -> operator.getChildren().forPath(ELECTION).size() == 2);
        first.loses("index");
        await().atMost(PATIENCE).during(LONGER).until(first::leads);
        assertThat(first.duty().epochs()).hasSize(1);
        assertThat(operator.getChildren().forPath(MARKS)).hasSize(1);
    }

    @Test
    void aMarkDeletedByHandComesBack() throws Exception {
        Contender first = leader(contenders.add());
        Contender second = standby(contenders.add());
        for (String node : operator.getChildren().forPath(MARKS)) {
            operator.delete().forPath(MARKS + "/" + node);
        }
        await().atMost(PATIENCE)
                .until(() -> operator.getChildren().forPath(MARKS).size() == 2);
        second.elector().close();
        await().atMost(Contenders.SESSION.minusSeconds(1))
                .until(() -> operator.getChildren().forPath(MARKS).size() == 1);
        assertThat(mark(first)).isEmpty();
    }

    private Contender leader(Contender contender) {
        await().atMost(PATIENCE).until(() -> contender.leads() && mark(contender) != null);
        return contender;
    }

    private Contender standby(Contender contender) {
        int contending = contenders.size();
        await().atMost(PATIENCE)
                .until(() -> operator.getChildren().forPath(ELECTION).size() == contending && mark(contender) != null);
        return contender;
    }

    /** The parts that it reports as unusable; null if it has no mark. */
    private String mark(Contender contender) throws Exception {
        if (operator.checkExists().forPath(MARKS) == null) {
            return null;
        }
        for (String node : operator.getChildren().forPath(MARKS)) {
            if (node.startsWith(contender.id() + "@")) {
                return new String(operator.getData().forPath(MARKS + "/" + node), UTF_8);
            }
        }
        return null;
    }
}
