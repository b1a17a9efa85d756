package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.RocketMqInbox;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of an older distribution beside one of this build, with the same stores. Messages have no extras, as the older node
 * knows none. Make an older distribution so, and give its directory as {@code mykit.test.older}:
 *
 * <pre>
 * git worktree add ../older b093c3b
 * cd ../older
 * mvn -DskipTests -Dspotless.check.skip package
 * ls -d mykit-delay-core/target/mykit-delay-*-SNAPSHOT
 * </pre>
 */
@Tag("long")
@EnabledIfSystemProperty(
        named = "mykit.test.older",
        matches = ".+",
        disabledReason = "no older distribution: -Dmykit.test.older=<directory of an unpacked distribution>")
class OlderNodeIT {
    private static final String JAVA_OPTIONS = "-Xmx384m";
    private static final String ADMIN = "admin-token-0123456789";
    private static final long SOON_MS = 1_500;
    private static final long LATER_MS = 600_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final String topic = "upgrade-" + System.nanoTime();
    /** The expected bodies of the messages that have to arrive, by id. */
    private final Map<String, String> expected = new LinkedHashMap<>();

    private RedisServer redis;
    private RocketMqInbox inbox;
    private DelayServer older;
    private DelayServer newer;

    @BeforeEach
    void start() {
        redis = RedisServer.start(dir.resolve("redis"), "older");
        String rocketMq = SharedServers.rocketMq().nameServerAddress();
        inbox = new RocketMqInbox(rocketMq, topic);
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("registry.session-timeout", "4s");
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("older_node"));
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "rocketmq");
        settings.put("rocketmq.namesrv-addr", rocketMq);
        settings.put("queue.name", topic);
        settings.put("http.admin-token", ADMIN);
        Path home = Path.of(System.getProperty("mykit.test.older")).toAbsolutePath();
        older = DelayServer.prepare(home, "older", dir.resolve("older"), settings, JAVA_OPTIONS);
        newer = DelayServer.prepare("newer", dir.resolve("newer"), settings, JAVA_OPTIONS);
    }

    @AfterEach
    void stop() {
        older.close();
        newer.close();
        inbox.close();
        redis.close();
    }

    @Test
    void nodesOfTwoVersionsTakePushesAndLeadInTurn() {
        older.restart();
        awaitLeads(older);
        push(older, "before", SOON_MS);
        push(older, "carried-over", LATER_MS);
        awaitArrived();

        // The first node of this version migrates the tables under the older leader.
        newer.restart();
        assertThat(operator(older).isLeader()).isTrue();
        round("older-leads");

        older.stop();
        awaitLeads(newer);
        round("alone", newer, newer);

        // The older node starts on the migrated tables.
        older.restart();
        assertThat(operator(newer).isLeader()).isTrue();
        round("newer-leads");

        newer.stop();
        awaitLeads(older);
        round("older-again", older, older);

        newer.restart();
        older.stop();
        awaitLeads(newer);
        replace(newer, "carried-over");
        awaitArrived();
    }

    /**
     * The older node knows nothing of the channel that an administrator gave. While it leads, the topic waits, because the note of the newer
     * node tells of another channel. {@code b093c3b} and others before ADR 58 read no such note, and deliver by their configuration.
     */
    @Test
    void aTopicThatGotAnotherChannelWaitsWhileAnOlderNodeLeads() {
        older.restart();
        awaitLeads(older);
        newer.restart();
        assertOk(operator(newer).post("/topics/change", "{\"topic\":\"" + topic + "\",\"channel\":\"console\"}"));
        boolean tells = differsSoon(older);
        assertOk(older.client().push(message("of-older", 0, "console")));
        assertOk(newer.client().push(message("of-newer", 0, "console")));
        if (tells) {
            await().during(Duration.ofSeconds(3)).until(() -> Stream.of("of-older", "of-newer")
                    .noneMatch(id -> status(newer, id).equals("FINISH")));
        } else {
            expected.put("of-older", "console");
            expected.put("of-newer", "console");
            awaitArrived();
        }

        older.stop();
        awaitLeads(newer);
        assertStatus(newer, "of-older", "FINISH");
        assertStatus(newer, "of-newer", "FINISH");

        older.restart();
        assertOk(older.client().push(message("last", 0, "console")));
        assertStatus(newer, "last", "FINISH");
        awaitArrived();
    }

    /** Whether a leader tells within some rounds of the notes that another node delivers otherwise. */
    private static boolean differsSoon(DelayServer leader) {
        try {
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> operator(leader).get("/overview").text().contains("TOPIC_DIFFERS"));
            return true;
        } catch (ConditionTimeoutException never) {
            return false;
        }
    }

    private void round(String name) {
        round(name + "-a", older, newer);
        round(name + "-b", newer, older);
    }

    /** A delivery, a cancel and a replacement: pushed on one node, changed on the other one. */
    private void round(String name, DelayServer pushing, DelayServer changing) {
        push(pushing, name, SOON_MS);
        push(pushing, name + "-cancelled", LATER_MS);
        push(pushing, name + "-replaced", LATER_MS);

        assertThat(changing.client().delete(name + "-cancelled").status()).isEqualTo(200);
        replace(changing, name + "-replaced");
        awaitArrived();
        for (DelayServer node : List.of(pushing, changing)) {
            assertStatus(node, name, "FINISH");
            assertStatus(node, name + "-cancelled", "DELETE");
            assertStatus(node, name + "-replaced", "FINISH");
        }
    }

    private void push(DelayServer node, String id, long delayMs) {
        String body = "body of " + id;
        assertOk(node.client().push(message(id, delayMs, body)));
        if (delayMs == SOON_MS) {
            expected.put(id, body);
        }
    }

    private void replace(DelayServer node, String id) {
        Map<String, Object> replacement = message(id, SOON_MS, "new body of " + id);
        replacement.put("replace", true);
        assertOk(node.client().push(replacement));
        expected.put(id, "new body of " + id);
    }

    private Map<String, Object> message(String id, long delayMs, String body) {
        return new HashMap<>(Map.of("topic", topic, "id", id, "delay", delayMs, "body", body));
    }

    private static void assertOk(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private static void assertStatus(DelayServer node, String id, String status) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(status(node, id)).as(id).isEqualTo(status));
    }

    private static String status(DelayServer node, String id) {
        return node.client().job(id).dataObject().getString("statusName");
    }

    private static DelayClient operator(DelayServer node) {
        return node.client().withToken(ADMIN);
    }

    private static void awaitLeads(DelayServer node) {
        await().atMost(Duration.ofSeconds(30)).until(() -> operator(node).isLeader());
    }

    /** What was expected has arrived once and with its last body, and nothing else has arrived. */
    private void awaitArrived() {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(arrived()).containsAllEntriesOf(expected));
        assertThat(arrived()).isEqualTo(new TreeMap<>(expected));
        assertThat(inbox.arrivals())
                .allSatisfy(arrival -> assertThat(arrival.arrivedAtMs()).isGreaterThanOrEqualTo(arrival.dueTimeMs()));
    }

    /** Fails if a message arrived twice. */
    private Map<String, String> arrived() {
        return new TreeMap<>(inbox.arrivals().stream().collect(Collectors.toMap(Arrival::id, Arrival::body)));
    }
}
