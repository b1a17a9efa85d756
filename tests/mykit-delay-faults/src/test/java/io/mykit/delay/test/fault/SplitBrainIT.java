package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.fault.history.Copy;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.watch.Remains;
import io.mykit.delay.test.server.RedisProgram;
import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.store.FlowAudit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Redis is split: the leader goes on with a master that the sentinels have replaced, while another node takes pushes, cancels and
 * replacements with the new master.
 */
class SplitBrainIT {
    private static final Logger LOG = LoggerFactory.getLogger(SplitBrainIT.class);
    private static final String NAME = "split-brain";
    private static final String PASSWORD = "spl1t";
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    /** Not due before the nodes use different masters, and due before the split ends; see {@link #paced}. */
    private static final long LATER_MS = 20_000;

    private static final long DURING_MS = 8_000;
    /** How long the start of the nodes may take on a machine that splits them and makes all calls of a test before {@link #LATER_MS}. */
    private static final long USUAL_START_MS = 20_000;

    private static final long SOON_MS = 2_000;
    /** After the due time, or after the end of the split if that is later. */
    private static final long LATE_MS = 5_000;
    /** In addition for a message that the leader's master does not know: recovery.grace, and the auditor looks every five seconds. */
    private static final long AUDIT_MS = 3_000 + 5_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final SplitLoad load = new SplitLoad(NAME);
    private String databaseUrl;
    private SplitRedis redis;
    private Inbox inbox;
    private long startMs;
    private DelayClient a;
    private DelayClient b;

    @BeforeEach
    void open() {
        databaseUrl = SharedServers.mysql().freshDatabase("split_brain");
        inbox = ActiveMqInbox.ofQueue(SharedServers.activeMq().url(), NAME);
    }

    @AfterEach
    void close() {
        if (redis != null) {
            redis.close();
        }
        inbox.close();
    }

    @Test
    @Tag("nightly")
    void theLeaderDeliversFromTheOldMasterWhatTheOtherSideHasNotTakenBack() throws Exception {
        start("1h");
        splitUnderLoad();
        // The leader finds in the database what the other side accepted.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(arrived())
                .containsAll(load.meant().keySet()));
        redis.assertApart();
        load.push(a, "last-of-a", SOON_MS);
        load.push(b, "last-of-b", SOON_MS);
        judge(redis.heal(), Set.of());
    }

    @Test
    @Tag("long")
    void theLeaderGivesWayToTheOtherSide() throws Exception {
        start("15s");
        splitUnderLoad();
        await().atMost(PATIENCE).until(redis.other()::isLeader);
        load.push(a, "last-of-a", SOON_MS);
        load.push(b, "last-of-b", SOON_MS);
        judge(redis.heal(), Set.of("of-a", "replaced-of-b", "last-of-a"));
    }

    /** The leader takes messages for due that are not due by the clock of the other side. */
    @Test
    @Tag("nightly")
    void noCancelIsUntrueIfTheClockOfTheNewMasterIsBehind() throws Exception {
        Optional<RedisProgram> slow = RedisProgram.withClock(Duration.ofSeconds(-2));
        assumeTrue(slow.isPresent(), RedisProgram.reason());
        start("1h", RedisSentinel.start(dir.resolve("redis"), PASSWORD, slow.get()));
        long edgeMs = System.currentTimeMillis() + paced(LATER_MS);
        load.pushEdges(a, edgeMs);
        redis.split();
        load.cancelEdges(b, edgeMs, -15, 3).join();
        redis.assertApart();
        LOG.info("Cancels around the due time: {}", load.answers());
        redis.heal();
        await().atMost(PATIENCE).until(() -> load.askAgain(b));
        LOG.info("Asked again after the split: {}", load.answers());
        load.believeEdges();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(arrived())
                .containsAll(load.meant().keySet()));
        // None is cancelled if this machine was so busy that all deliveries came first.
        assertThat(arrived()).noneMatch(load.cancelled()::contains);
        assertThat(FlowAudit.of(databaseUrl).violations()).isEmpty();
    }

    private void splitUnderLoad() {
        long laterMs = paced(LATER_MS);
        long duringMs = paced(DURING_MS);
        load.push(a, "kept", laterMs);
        load.push(a, "cancelled", laterMs);
        load.push(a, "replaced", laterMs);
        load.push(a, "hastened", SplitLoad.ASLEEP_MS);
        load.push(a, "cancelled-asleep", SplitLoad.ASLEEP_MS);
        load.push(a, "asleep", SplitLoad.ASLEEP_MS);
        long edgeMs = System.currentTimeMillis() + laterMs;
        load.pushEdges(a, edgeMs);
        redis.split();
        CompletableFuture<?> edges = load.cancelEdges(b, edgeMs, -200, 12);
        load.cancel(b, "cancelled");
        load.cancel(b, "cancelled-asleep");
        load.replace(b, "replaced", laterMs);
        load.replace(b, "hastened", SOON_MS);
        load.push(a, "of-a", SOON_MS);
        load.push(b, "of-b", SOON_MS);
        load.push(a, "cancelled-of-a", duringMs);
        load.cancel(b, "cancelled-of-a");
        load.push(b, "cancelled-of-b", duringMs);
        load.cancel(a, "cancelled-of-b");
        load.push(a, "replaced-of-a", duringMs);
        load.replace(b, "replaced-of-a", duringMs + SOON_MS);
        load.push(b, "replaced-of-b", duringMs);
        load.replace(a, "replaced-of-b", duringMs + SOON_MS);
        load.push(a, "asleep-of-a", SplitLoad.ASLEEP_MS);
        load.push(b, "asleep-of-b", SplitLoad.ASLEEP_MS);
        edges.join();
    }

    /**
     * Judges what has arrived and what is left.
     *
     * @param healedMs when both nodes used the new master
     * @param unknown the kinds that only the old master knew, perhaps after the new leader had compared its buckets
     */
    private void judge(long healedMs, Set<String> unknown) throws Exception {
        LOG.info("Cancels around the due time: {}", load.answers());
        await().atMost(PATIENCE).until(() -> load.askAgain(b));
        LOG.info("Asked again after the split: {}", load.answers());
        load.believeEdges();
        Map<String, String> meant = load.meant();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(arrived()).containsAll(meant.keySet()));
        if (!unknown.isEmpty()) {
            // What is not due and unknown to the master is looked for by a new leader.
            redis.handOver();
        }
        await().atMost(PATIENCE).untilAsserted(this::assertStoresAgree);
        assertThat(inbox.arrivals())
                .as("none that was cancelled, and none twice")
                .extracting(Arrival::id)
                .containsExactlyInAnyOrderElementsOf(meant.keySet());
        for (Arrival arrival : inbox.arrivals()) {
            assertThat(arrival.body()).as("%s", arrival).isEqualTo(meant.get(arrival.id()));
            long lateMs = LATE_MS + (unknown.contains(SplitLoad.kind(arrival.id())) ? AUDIT_MS : 0);
            assertThat(arrival.arrivedAtMs())
                    .as("%s", arrival)
                    .isBetween(arrival.dueTimeMs(), Math.max(arrival.dueTimeMs(), healedMs) + lateMs);
        }
        FlowAudit rows = FlowAudit.of(databaseUrl);
        assertThat(rows.violations()).isEmpty();
        assertThat(rows.rows("status = 3")).as("FINISH").isEqualTo(meant.size());
        assertThat(rows.rows("status = 4"))
                .as("DELETE")
                .isEqualTo(load.cancelled().size());
    }

    /** The master has what has not ended, each message in one place and in the version of its row. */
    private void assertStoresAgree() throws Exception {
        RedisView view = new RedisView(List.of(redis.second()), "io.mykit.delay", NAME, 4);
        Map<String, Copy> unfinished = new HashMap<>();
        for (Row row : Remains.rows(databaseUrl).values()) {
            if (row.belongsIntoRedis()) {
                unfinished.put(row.id(), new Copy(row.version(), row.nextAttemptMs(), row.body()));
            }
        }
        assertThat(unfinished.keySet()).isEqualTo(load.asleep());
        assertThat(Remains.pool(view)).isEqualTo(unfinished);
        view.assertNoOrphans();
    }

    private Set<String> arrived() {
        return inbox.arrivals().stream().map(Arrival::id).collect(Collectors.toSet());
    }

    /** The time for what takes so long on an idle machine: more on one that is so busy that the nodes took long to start. */
    private long paced(long idleMs) {
        return idleMs * Math.max(USUAL_START_MS, startMs) / USUAL_START_MS;
    }

    /** @param unfitAfter for how long the leader may be without sentinels before it gives way */
    private void start(String unfitAfter) {
        start(unfitAfter, RedisSentinel.start(dir.resolve("redis"), PASSWORD, RedisSentinel.PATIENT));
    }

    private void start(String unfitAfter, RedisSentinel sentinel) {
        Map<String, String> settings = Map.of(
                "registry.unfit-after", unfitAfter,
                "datasource.url", databaseUrl,
                "datasource.username", "root",
                "activemq.broker-url", SharedServers.activeMq().url(),
                "queue.name", NAME);
        redis = new SplitRedis(dir, settings, sentinel);
        long beginMs = System.currentTimeMillis();
        redis.start();
        startMs = System.currentTimeMillis() - beginMs;
        a = redis.leader().client();
        b = redis.other().client();
    }
}
