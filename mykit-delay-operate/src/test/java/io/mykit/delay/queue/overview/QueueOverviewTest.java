package io.mykit.delay.queue.overview;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.metric.Family;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes of a queue in memory tell operators about the queue. */
class QueueOverviewTest {
    private static final Duration STEP = Duration.ofSeconds(5);

    private final MemoryQueue queue = new MemoryQueue(Duration.ofHours(1));
    private final TestNode a = new TestNode(queue, "a:6355", "2.0.0");
    private final TestNode b = new TestNode(queue, "b:6355", "2.0.0");

    @BeforeEach
    void start() {
        a.leads(17);
        step();
    }

    @Test
    void aStandbyShowsTheWholeQueue() {
        Map<String, Object> data = b.overview.overview();
        assertThat(data)
                .containsEntry("status", "UP")
                .containsEntry("queue", "q")
                .containsEntry("answeredBy", "b:6355")
                .containsEntry("nodesComplete", true)
                .containsEntry("warnings", List.of());
        assertThat(map(data.get("leader"))).containsEntry("node", "a:6355").containsEntry("epoch", 17L);
        assertThat(list(data.get("nodes")))
                .extracting(node -> node.get("node") + " " + node.get("role"))
                .containsExactly("a:6355 LEADER", "b:6355 STANDBY");
        assertThat(map(data.get("parts")).keySet())
                .containsExactlyInAnyOrder("store", "index", "registry", "channels", "loops");
        assertThat(map(map(data.get("parts")).get("channels"))).containsKey("rocketmq");
    }

    @Test
    void withoutRedisOnlyThisNodeIsShown() {
        b.health.put("index", Health.down("[r:6379] does not answer"));
        b.health.put("registry", Health.up(Map.of("leader", "a:6355")));
        queue.buckets().notes().setAway(true);
        step();
        Map<String, Object> data = b.overview.overview();
        assertThat(data).containsEntry("status", "DEGRADED").containsEntry("nodesComplete", false);
        assertThat(list(data.get("nodes"))).hasSize(1);
        assertThat(map(data.get("leader")))
                .as("as ZooKeeper tells")
                .containsEntry("node", "a:6355")
                .containsEntry("epoch", null);
        assertThat(map(map(data.get("parts")).get("index")))
                .containsEntry("up", false)
                .containsEntry("word", "REDIS_DOWN");
        assertThat(codes(data)).containsExactly("REDIS_DOWN");
        assertThat(map(data.get("counts"))).containsEntry("near", null).containsEntry("leased", null);
        assertThat(map(map(data.get("counts")).get("unknown"))).containsOnlyKeys("near", "leased", "parked");
    }

    @Test
    void aFullRedisIsStillCounted() {
        queue.push("1", 10_000);
        b.health.put("index", Health.down("[r:6379] refuses writes: OOM command not allowed"));
        step();
        Map<String, Object> data = b.overview.overview();
        assertThat(map(map(data.get("parts")).get("index"))).containsEntry("word", "REDIS_FULL");
        assertThat(map(data.get("counts"))).containsEntry("near", 1L);
    }

    @Test
    void countsAreThoseOfBothStores() {
        queue.push("1", 10_000);
        queue.push("2", -4_100);
        queue.insert("3", 7_200_000, MessageStatus.WAIT_PUT);
        Map<String, Object> counts = map(a.overview.overview().get("counts"));
        assertThat(counts)
                .containsEntry("near", 2L)
                .containsEntry("leased", 0L)
                .containsEntry("parked", 0L)
                .containsEntry("far", Map.of("n", 1L, "capped", false))
                .containsEntry("overdue", Map.of("n", 1L, "capped", false))
                .containsEntry("dead", Map.of("n", 0L, "capped", false))
                .containsEntry("oldestOverdueMs", 4_100L);
    }

    @Test
    void withoutTheStoreItsCountsAreNotKnown() {
        queue.store().goAway();
        Map<String, Object> counts = map(a.overview.overview().get("counts"));
        assertThat(counts).containsEntry("near", 0L).containsEntry("far", null).containsEntry("oldestOverdueMs", null);
        assertThat(map(counts.get("unknown"))).containsOnlyKeys("far", "overdue", "dead", "oldestOverdueMs");
    }

    @Test
    void aNodeThatIsSilentIsStaleAndThenForgotten() {
        for (int i = 0; i < 3; i++) {
            queue.pass(STEP);
            b.tick();
        }
        Map<String, Object> data = b.overview.overview();
        assertThat(codes(data)).containsExactly("CARD_STALE");
        assertThat(list(data.get("warnings")).get(0)).containsEntry("args", Map.of("node", "a:6355"));
        for (int i = 0; i < 24; i++) {
            queue.pass(STEP);
            b.tick();
            b.overview.overview();
        }
        data = b.overview.overview();
        assertThat(list(data.get("nodes"))).hasSize(1);
        assertThat(data.get("leader")).isNull();
        assertThat(codes(data)).containsExactly("NO_LEADER");
    }

    @Test
    void aHandOverGivesNoWarningAndALastingStateDoes() {
        b.leads(18);
        step();
        assertThat(codes(b.overview.overview())).isEmpty();
        assertThat(map(b.overview.overview().get("leader"))).containsEntry("epoch", 18L);
        for (int i = 0; i < 3; i++) {
            step();
            b.overview.overview();
        }
        assertThat(codes(b.overview.overview())).containsExactly("TWO_LEADERS");
        a.follows();
        step();
        assertThat(codes(b.overview.overview())).isEmpty();
    }

    @Test
    void warningsOfTheLeaderAreShownByEachNode() {
        a.health.put("channels", new Health(false, Map.of("rocketmq", Map.of("up", false, "reason", "no answer"))));
        step();
        Map<String, Object> warning =
                list(b.overview.overview().get("warnings")).get(0);
        assertThat(warning)
                .containsEntry("code", "CHANNEL_DOWN")
                .containsEntry("severity", "warning")
                .containsEntry("text", "no answer")
                .containsEntry("args", Map.of("channel", "rocketmq", "node", "a:6355"));
        assertThat((Long) warning.get("since")).isEqualTo(queue.clock().millis());
    }

    @Test
    void aWarningAboutTheQueueIsToldOnce() {
        Health evicting = Health.up(Map.of(MessageIndex.EVICTING, Map.of("r:6379", "allkeys-lru")));
        a.health.put("index", evicting);
        b.health.put("index", evicting);
        step();
        assertThat(codes(b.overview.overview())).containsExactly("EVICTION_POLICY");
    }

    @Test
    void differentVersionsAreTold() {
        TestNode c = new TestNode(queue, "c:6355", "2.1.0");
        c.tick();
        step();
        assertThat(codes(b.overview.overview()))
                .as("an upgrade takes some minutes")
                .isEmpty();
        assertThat(gauge(b, Family.NODES_OTHER_VERSION)).isEqualTo(1);
        assertThat(gauge(c, Family.NODES_OTHER_VERSION)).isEqualTo(2);
        queue.pass(NodeDifferences.UPGRADE);
        c.tick();
        step();
        Map<String, Object> data = b.overview.overview();
        assertThat(codes(data)).containsExactly("VERSIONS_DIFFER");
        assertThat(list(data.get("warnings")).get(0))
                .containsEntry("args", Map.of("versions", "2.0.0 (a:6355, b:6355), 2.1.0 (c:6355)"));
    }

    @Test
    void aNodeWithAnotherConfigurationIsNamed() {
        TestNode c = new TestNode(queue, "c:6355", "2.0.0", Map.of("newt", "pull"));
        c.tick();
        steps(2);
        Map<String, Object> data = b.overview.overview();
        assertThat(codes(data)).containsExactly("CONFIG_DIFFERS", "TOPIC_DIFFERS");
        assertThat(list(data.get("warnings")).get(0))
                .containsEntry("args", Map.of("base", "a:6355", "nodes", "c:6355", "keys", "delivery.topics.newt"));
        assertThat(list(data.get("warnings")).get(1))
                .containsEntry("text", "node c:6355 delivers it by pull, this node by rocketmq")
                .containsEntry(
                        "args", Map.of("topic", "newt", "node", "c:6355", "channel", "pull", "here", "rocketmq"));
        assertThat(list(data.get("nodes")).get(2).get("delivery"))
                .isNotEqualTo(list(data.get("nodes")).get(0).get("delivery"));
        assertThat(gauge(a, Family.NODES_OTHER_CONFIG)).isEqualTo(1);
        assertThat(gauge(c, Family.NODES_OTHER_CONFIG)).isEqualTo(2);
    }

    @Test
    void aNodeHasASayUntilAMinuteAfterItsLastNote() {
        TestNode c = new TestNode(queue, "c:6355", "2.0.0", Map.of("newt", "pull"));
        c.tick();
        step();
        assertThat(a.differing.contains("newt")).isTrue();
        queue.buckets().notes().setAway(true);
        step();
        assertThat(a.differing.contains("newt")).as("while Redis is away").isTrue();
        queue.buckets().notes().setAway(false);
        steps(11);
        assertThat(a.differing.contains("newt")).as("a dead node").isFalse();
        c.tick();
        step();
        assertThat(a.differing.contains("newt")).isTrue();
        queue.otherNode().notes().write("c:6355", NodeNote.stopped(queue.clock().millis()), "", 0);
        step();
        assertThat(a.differing.contains("newt")).as("a node that has stopped").isFalse();
    }

    @Test
    void aNodeThatHasLostItsNoteStillHasItsSay() {
        TestNode c = new TestNode(queue, "c:6355", "2.0.0", Map.of("newt", "pull"));
        c.tick();
        step();
        queue.otherNode()
                .notes()
                .write(
                        "b:6355",
                        NodeNote.stopped(queue.clock().millis()),
                        "",
                        queue.clock().millis());
        step();
        assertThat(queue.otherNode().notes().all()).doesNotContainKey("c:6355");
        assertThat(a.differing.contains("newt")).isTrue();
    }

    @Test
    void pointsOfTheSeriesComeFromBothNodes() {
        step();
        Map<String, Object> data = b.overview.series(0);
        assertThat(data)
                .containsEntry("step", 5_000L)
                .containsEntry("nodes", List.of("a:6355", "b:6355"))
                .containsEntry("nodesComplete", true);
        assertThat(list(data.get("points"))).isNotEmpty();
    }

    @Test
    void manyReadersShareOneAnswer() {
        Map<String, Object> first = a.overview.overview();
        assertThat(a.overview.overview()).isSameAs(first);
        queue.pass(Duration.ofSeconds(1));
        assertThat(a.overview.overview()).isNotSameAs(first);
    }

    @Test
    void thereIsNoWorkToStop() {
        assertThat(list(a.overview.operations().get("work"))).isEmpty();
        assertThat(a.overview.stop("b:6355-1")).isEqualTo(Overviews.StopResult.UNKNOWN);
        assertThat(a.overview.stop("nonsense")).isEqualTo(Overviews.StopResult.UNKNOWN);
    }

    private void step() {
        queue.pass(STEP);
        a.tick();
        b.tick();
    }

    private void steps(int count) {
        for (int i = 0; i < count; i++) {
            step();
        }
    }

    private static double gauge(TestNode node, Family family) {
        return node.meters.get(family.meter()).gauge().value();
    }

    private static List<String> codes(Map<String, Object> data) {
        return list(data.get("warnings")).stream()
                .map(warning -> warning.get("code").toString())
                .toList();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object value) {
        return (List<Map<String, Object>>) value;
    }
}
