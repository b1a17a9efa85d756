package io.mykit.delay.test.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two packaged servers tell operators about the queue. The faults come last. */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OverviewIT {
    private static final byte[] NOTHING = new byte[0];
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path dir;

    private static RedisServer redis;
    private static String database;
    private static DelayServer one;
    private static DelayServer two;

    @BeforeAll
    static void start() {
        redis = RedisServer.start(dir.resolve("redis"), "overview");
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("redis.uri", redis.uri());
        database = SharedServers.mysql().freshDatabase("overview");
        settings.put("datasource.url", database);
        settings.put("datasource.username", "root");
        // A restore that waits for a lock must still be there when a slow machine has shown and stopped it.
        settings.put("datasource.timeout", "90s");
        settings.put("delivery.default-channel", "console");
        settings.put("queue.name", "overview-" + System.nanoTime());
        settings.put("recovery.page-size", "1");
        settings.put("http.drain", "0s");
        one = DelayServer.start("one", dir.resolve("one"), settings);
        await().atMost(LONG).until(one::isLeader);
        two = DelayServer.start("two", dir.resolve("two"), settings);
    }

    @AfterAll
    static void stop() {
        two.close();
        one.close();
        redis.close();
    }

    @Test
    @Order(1)
    void theStandbyShowsBothNodesAndTheNumbers() {
        push("far", 500, 7_200_000);
        push("near", 300, 1_800_000);
        push("now", 50, 0);
        await().atMost(LONG).untilAsserted(() -> {
            JSONObject data = overview(two);
            assertThat(data)
                    .containsEntry("status", "UP")
                    .containsEntry("nodesComplete", true)
                    .containsEntry("answeredBy", node(two));
            assertThat(data.getJSONObject("leader")).containsEntry("node", node(one));
            assertThat(data.getJSONObject("leader").getLongValue("epoch")).isPositive();
            assertThat(data.getJSONArray("nodes").stream()
                            .map(each -> ((JSONObject) each).getString("node") + " "
                                    + ((JSONObject) each).getString("role")))
                    .containsExactlyInAnyOrder(node(one) + " LEADER", node(two) + " STANDBY");
            JSONObject counts = data.getJSONObject("counts");
            assertThat(counts.getLongValue("near")).isEqualTo(300);
            assertThat(counts.getJSONObject("far")).isEqualTo(JSONObject.of("n", 500, "capped", false));
            assertThat(counts.getJSONObject("overdue").getLongValue("n")).isZero();
            assertThat(counts.getLongValue("oldestOverdueMs")).isZero();
            assertThat(counts.getJSONObject("unknown")).isEmpty();
            JSONObject parts = data.getJSONObject("parts");
            for (String part : List.of("store", "index", "registry", "loops")) {
                assertThat(parts.getJSONObject(part))
                        .as(part)
                        .containsEntry("up", true)
                        .containsKey("since");
            }
            assertThat(parts.getJSONObject("channels").getJSONObject("console")).containsEntry("up", true);
            assertThat(codes(data)).containsExactly("NO_TOKEN_OPEN");
        });
    }

    @Test
    @Order(2)
    void theSeriesOfTheStandbyHasTheDeliveriesOfTheLeader() {
        push("late", 40, 500);
        await().atMost(LONG).untilAsserted(() -> {
            JSONObject data = get(two, "/series").dataObject();
            assertThat(data).containsEntry("step", 5_000).containsEntry("nodesComplete", true);
            assertThat(data.getJSONArray("nodes")).hasSize(2);
            List<JSONObject> points = objects(data.getJSONArray("points"));
            assertThat(points).isSortedAccordingTo((a, b) -> Long.compare(a.getLongValue("t"), b.getLongValue("t")));
            assertThat(points)
                    .anySatisfy(point -> assertThat(point.getLong("p99")).isNotNull())
                    .anySatisfy(point -> assertThat(point.getLong("near")).isNotNull());
            long last = points.get(points.size() - 1).getLongValue("t");
            assertThat(objects(get(two, "/series?since=" + last).dataObject().getJSONArray("points")))
                    .allSatisfy(point -> assertThat(point.getLongValue("t")).isGreaterThan(last));
        });
    }

    /** A minute ends within sixty seconds. */
    @Test
    @Order(8)
    void theStandbyShowsTheMinutesOfATopicThatTheLeaderCounted() {
        push("minute", 30, 100);
        await().atMost(LONG.multipliedBy(4)).untilAsserted(() -> {
            JSONObject data = get(two, "/series?topic=t").dataObject();
            assertThat(data)
                    .containsEntry("step", 60_000)
                    .containsEntry("topic", "t")
                    .containsEntry("complete", true)
                    .containsEntry("nodesComplete", true);
            assertThat(objects(data.getJSONArray("points")).stream()
                            .mapToLong(point -> point.getLongValue("delivered"))
                            .sum())
                    .isGreaterThanOrEqualTo(30);
        });
        assertThat(objects(get(two, "/series?topic=none").dataObject().getJSONArray("points")))
                .isNotEmpty()
                .allSatisfy(
                        point -> assertThat(point).containsEntry("accepted", 0).containsEntry("p50", null));
    }

    @Test
    @Order(3)
    void workIsSeenAndStoppedFromTheOtherNode() throws SQLException {
        push("work", 100, 1_800_000);
        // The counts of an overview wait for the lock as well.
        String leader = node(one);
        CompletableFuture<Answer> restore;
        JSONObject work;
        // The restore waits in the database for the lock until its node has learnt of the stop.
        try (Connection other = DriverManager.getConnection(database, DatabaseServer.USER, "");
                Statement statement = other.createStatement()) {
            statement.execute("LOCK TABLES mykit_delay_queue_job WRITE");
            restore = CompletableFuture.supplyAsync(() -> one.client().get("/reStore"));
            work = await().atMost(LONG).until(OverviewIT::restoreSeenByTwo, seen -> seen != null);
            assertThat(work).containsEntry("node", leader).containsEntry("stoppable", true);
            assertThat(work.getString("id")).startsWith(leader + "-");
            assertThat(stop(two, "nonsense").dataObject()).containsEntry("stopping", false);
            assertThat(stop(two, work.getString("id")).dataObject()).containsEntry("stopping", true);
            await().atMost(LONG).untilAsserted(() -> assertThat((List<?>) redis.command("KEYS", "*:stops:*"))
                    .isEmpty());
            statement.execute("UNLOCK TABLES");
        }
        assertThat(restore.orTimeout(60, TimeUnit.SECONDS).join().dataObject()).containsEntry("stopped", true);
        await().atMost(LONG).until(() -> restoreSeenByTwo() == null);
        await().atMost(LONG).untilAsserted(() -> assertThat(
                        objects(get(two, "/operations").dataObject().getJSONArray("ended")))
                .anySatisfy(ended -> assertThat(ended)
                        .containsEntry("id", work.getString("id"))
                        .containsEntry("outcome", "STOPPED")));
        await().atMost(LONG).untilAsserted(() -> assertThat(
                        objects(get(two, "/operations").dataObject().getJSONArray("recent")))
                .anySatisfy(call -> assertThat(call)
                        .containsEntry("call", "restore")
                        .containsEntry("caller", "anonymous")
                        .containsEntry("node", node(one))
                        .containsEntry("result", "DONE"))
                .anySatisfy(call -> assertThat(call)
                        .containsEntry("call", "stopOperation")
                        .containsEntry("what", "id=" + work.getString("id"))
                        .containsEntry("node", node(two))));
    }

    private static JSONObject restoreSeenByTwo() {
        return objects(get(two, "/operations").dataObject().getJSONArray("work")).stream()
                .filter(each -> each.getString("kind").equals("restore"))
                .findFirst()
                .orElse(null);
    }

    @Test
    @Order(4)
    void theConfigurationIsShown() {
        JSONObject settings = get(two, "/config").dataObject().getJSONObject("settings");
        assertThat(settings)
                .containsEntry("mykit.delay.redis.uri", "set")
                .containsEntry("mykit.delay.recovery.page-size", "1")
                .containsEntry("mykit.delay.http.host", "127.0.0.1");
    }

    @Test
    @Order(5)
    void aNodeThatStopsLeavesAtOnce() {
        two.stop();
        await().atMost(LONG).untilAsserted(() -> assertThat(overview(one).getJSONArray("nodes"))
                .hasSize(1));
        two.restart();
        await().atMost(LONG).untilAsserted(() -> assertThat(overview(one).getJSONArray("nodes"))
                .hasSize(2));
    }

    @Test
    @Order(6)
    void aKilledNodeIsStale() {
        two.kill();
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(codes(overview(one))).contains("CARD_STALE"));
        two.restart();
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(codes(overview(one))).doesNotContain("CARD_STALE"));
    }

    @Test
    @Order(9)
    void withoutRedisTheNodeShowsItselfAndNoZeros() {
        redis.close();
        await().atMost(LONG).untilAsserted(() -> {
            JSONObject data = overview(two);
            assertThat(data).containsEntry("status", "DEGRADED").containsEntry("nodesComplete", false);
            assertThat(data.getJSONArray("nodes")).hasSize(1);
            assertThat(data.getJSONObject("parts").getJSONObject("index"))
                    .containsEntry("up", false)
                    .containsEntry("word", "REDIS_DOWN");
            assertThat(data.getJSONObject("counts")).containsEntry("near", null);
            assertThat(data.getJSONObject("counts").getJSONObject("unknown")).containsKey("near");
            assertThat(data.getJSONObject("counts").getJSONObject("far")).isNotNull();
            assertThat(codes(data)).contains("REDIS_DOWN");
        });
        assertThat(get(two, "/series").dataObject()).containsEntry("nodesComplete", false);
        assertThat(get(two, "/operations").dataObject()).containsEntry("nodesComplete", false);
    }

    private static void push(String prefix, int count, long delayMs) {
        for (int from = 0; from < count; from += 1000) {
            String items = IntStream.range(from, Math.min(count, from + 1000))
                    .mapToObj(i -> "{\"topic\":\"t\",\"id\":\"" + prefix + i + "\",\"delay\":" + delayMs + "}")
                    .reduce((a, b) -> a + "," + b)
                    .orElseThrow();
            assertThat(one.client().post("/push/batch", "[" + items + "]").status())
                    .isEqualTo(200);
        }
    }

    private static String node(DelayServer server) {
        // Both run on this machine, so the port tells them apart.
        String own = get(server, "/overview").dataObject().getString("answeredBy");
        assertThat(own).endsWith(":" + server.port());
        return own;
    }

    private static JSONObject overview(DelayServer server) {
        return get(server, "/overview").dataObject();
    }

    private static Answer get(DelayServer server, String path) {
        Answer answer = new RawHttp(server.port()).send("GET", path, NOTHING);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer;
    }

    private static Answer stop(DelayServer server, String id) {
        byte[] body = ("{\"id\":\"" + id + "\"}").getBytes(UTF_8);
        return new RawHttp(server.port()).send("POST", "/operations/stop", body, "content-type", "application/json");
    }

    private static List<String> codes(JSONObject overview) {
        return objects(overview.getJSONArray("warnings")).stream()
                .map(warning -> warning.getString("code"))
                .toList();
    }

    private static List<JSONObject> objects(JSONArray array) {
        return array.stream().map(JSONObject.class::cast).toList();
    }
}
