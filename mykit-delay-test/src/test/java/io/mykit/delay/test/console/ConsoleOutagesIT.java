package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.ZooKeeperEnsemble;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * One part after another goes away and comes back. The page says what is not known, in both languages, and recovers by itself:
 * no test loads it anew.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleOutagesIT {
    private static final Map<String, Texts> TEXTS = Map.of("en", new Texts("en"), "zh", new Texts("zh"));
    private static final String UNKNOWN = "–";

    private final List<AutoCloseable> servers = new ArrayList<>();
    private Browser browser;
    private RedisServer redis;
    private MySqlServer mysql;
    private ZooKeeperEnsemble zooKeeper;
    private ActiveMqServer broker;
    private DelayServer server;
    private Console console;

    @BeforeAll
    void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        browser = Browser.shared();
        redis = started(RedisServer.start(dir.resolve("redis"), "outages"));
        mysql = started(MySqlServer.start(dir.resolve("mysql")));
        zooKeeper = started(ZooKeeperEnsemble.start(dir.resolve("zookeeper"), 1));
        broker = started(ActiveMqServer.start(dir.resolve("activemq")));
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", zooKeeper.connectString());
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", mysql.freshDatabase("outages"));
        settings.put("datasource.username", "root");
        settings.put("activemq.broker-url", broker.url());
        settings.put("delivery.topics.shown", "console");
        settings.put("http.drain", "0s");
        server = started(DelayServer.start("outages", dir.resolve("server"), settings));
        Console.patiently().until(server::isLeader);
        console = new Console(browser, server.url());
        push("waits", ConsoleFixture.HOUR_MS / 2);
        console.open("en", "overview");
        console.awaitText("count-near", "1");
    }

    @AfterAll
    void stop() throws Exception {
        for (int i = servers.size() - 1; i >= 0; i--) {
            servers.get(i).close();
        }
    }

    /** The browser logs each answer of 400 and above, and each that does not come. Nothing else may be there. */
    @AfterEach
    void onlyFailedCalls() {
        assertThat(browser.problems()).allMatch(problem -> problem.contains("Failed to load resource"));
    }

    private <T extends AutoCloseable> T started(T part) {
        servers.add(part);
        return part;
    }

    private void push(String id, long delayMs) {
        push(id, "orders", delayMs);
    }

    private void push(String id, String topic, long delayMs) {
        assertThat(server.client()
                        .push(Map.of("id", id, "topic", topic, "delay", delayMs))
                        .status())
                .isEqualTo(200);
    }

    /** A part is noticed within seconds, and after errors the page asks every 10, 20, 40, 60 seconds. */
    private static ConditionFactory slowly() {
        return Console.patiently().atMost(Duration.ofMinutes(2));
    }

    private void awaitText(String element, String language, String key) {
        String text = TEXTS.get(language).of(key);
        assertThat(text).as(key).isNotEmpty();
        slowly().untilAsserted(() -> assertThat(console.text(element)).contains(text));
    }

    private void awaitWarning(String code, String language) {
        slowly().until(() -> !console.all("[data-test='warnings'] [data-code='" + code + "']")
                .isEmpty());
        String text = TEXTS.get(language).of("todo." + code);
        assertThat(text).isNotEmpty();
        slowly().untilAsserted(() -> assertThat(console.text("warnings")).contains(text));
    }

    private void awaitNoWarning(String code) {
        slowly().until(() ->
                console.all("[data-test='warnings'] [data-code='" + code + "']").isEmpty());
    }

    private void awaitCount(String name, String begin) {
        slowly().untilAsserted(() -> assertThat(
                        console.findBy("[data-test='count-" + name + "'] .big").getText())
                .startsWith(begin));
    }

    private void awaitNormal() {
        console.go("overview");
        for (String name : List.of("near", "far", "dead", "overdue", "leased", "parked")) {
            slowly().untilAsserted(() -> assertThat(console.findBy("[data-test='count-" + name + "'] .big")
                            .getText())
                    .matches("\\d.*"));
        }
        slowly().untilAsserted(() -> assertThat(console.shows("leader")).isTrue());
        slowly().until(() -> console.all("[data-test='part'][data-up='false']").isEmpty());
        slowly().until(() -> !console.shows("failure") && !console.shows("stale"));
    }

    @Test
    void withoutRedisTheNumbersInRedisAreNotKnown() {
        console.open("en", "overview");
        redis.kill();
        for (String language : List.of("en", "zh")) {
            console.open(language, "overview");
            awaitWarning("REDIS_DOWN", language);
            for (String name : List.of("near", "leased", "parked")) {
                awaitCount(name, UNKNOWN);
                awaitText("count-" + name, language, "count.unknown.index");
            }
            awaitCount("dead", "0");
            awaitText("nodes-incomplete", language, "nodes.incomplete");
            awaitText("series-limits", language, "series.oneNode");
            awaitText("parts", language, "part.down.index");
            browser.screenshot("outage-redis-overview-" + language);
            console.open(language, "messages?id=waits");
            slowly().until(() -> console.shows("state"));
            browser.screenshot("outage-redis-message-" + language);
            console.open(language, "topics");
            slowly().until(() -> console.shows("failure") || console.shows("topic-list"));
            browser.screenshot("outage-redis-topics-" + language);
            console.open(language, "operations");
            slowly().until(() -> console.shows("recent"));
            browser.screenshot("outage-redis-operations-" + language);
        }
        redis.restart();
        awaitNormal();
        awaitNoWarning("REDIS_DOWN");
    }

    @Test
    void withoutTheDatabaseTheNumbersOfItsRowsAreNotKnown() {
        console.open("en", "overview");
        mysql.kill();
        for (String language : List.of("en", "zh")) {
            console.open(language, "overview");
            awaitWarning("STORE_DOWN", language);
            for (String name : List.of("far", "dead", "overdue")) {
                awaitCount(name, UNKNOWN);
                awaitText("count-" + name, language, "count.unknown.store");
            }
            awaitText("parts", language, "part.down.store");
            browser.screenshot("outage-database-overview-" + language);
            for (String page : List.of("messages", "dead")) {
                console.open(language, page);
                awaitText("failure", language, "error.read.STORE_UNAVAILABLE");
                browser.screenshot("outage-database-" + page + "-" + language);
            }
        }
        mysql.restart();
        // The list of dead letters asks again by itself.
        slowly().until(() -> !console.shows("failure"));
        awaitNormal();
        awaitNoWarning("STORE_DOWN");
    }

    @Test
    void withoutZooKeeperNoNodeLeads() {
        console.open("en", "overview");
        zooKeeper.servers().get(0).kill();
        for (String language : List.of("en", "zh")) {
            console.open(language, "overview");
            awaitWarning("REGISTRY_DOWN", language);
            awaitText("no-leader", language, "leader.none");
            awaitText("parts", language, "part.down.registry");
            awaitWarning("NO_LEADER", language);
            awaitCount("near", "1");
            browser.screenshot("outage-zookeeper-overview-" + language);
        }
        zooKeeper.servers().get(0).restart();
        awaitNormal();
        awaitNoWarning("REGISTRY_DOWN");
    }

    @Test
    void withoutTheBrokerItsChannelIsDown() {
        console.open("en", "overview");
        push("first", 0);
        slowly().until(() -> "FINISH".equals(status("first")));
        broker.kill();
        push("stuck", 0);
        for (String language : List.of("en", "zh")) {
            console.open(language, "overview");
            awaitWarning("CHANNEL_DOWN", language);
            awaitText("parts", language, "part.down.channel");
            awaitCount("overdue", "1");
            browser.screenshot("outage-broker-overview-" + language);
        }
        push("stuck-2", "orders-2", 0);
        slowly().until(() -> console.all("[data-code='TOPIC_BACKS_OFF'] a").size() == 2);
        assertThat(console.all("[data-code='TOPIC_BACKS_OFF']")).hasSize(1);
        console.go("topics");
        slowly().until(() -> console.shows("other-warnings"));
        assertThat(console.all("[data-test='warnings'] li")).hasSize(1);
        broker.restart();
        slowly().until(() -> "FINISH".equals(status("stuck")));
        awaitNormal();
        awaitNoWarning("CHANNEL_DOWN");
    }

    private String status(String id) {
        return server.client().job(id).dataObject().getString("statusName");
    }

    /** The page is loaded already; the node that served it dies. */
    @Test
    void withoutItsNodeThePageKeepsItsLastDataAndSaysHowOldTheyAre() {
        // The browser keeps the texts of both languages.
        console.open("zh", "overview");
        console.open("en", "overview");
        console.find("leader");
        server.kill();
        for (String language : List.of("en", "zh")) {
            console.choose("language", language);
            awaitText("failure", language, "error.NO_ANSWER");
            awaitText("stale", language, "state.stale");
            String lost = TEXTS.get(language).of("cluster.LOST");
            slowly().untilAsserted(() ->
                    assertThat(console.findBy("header.top .cluster").getText()).contains(lost));
            browser.screenshot("outage-node-" + language);
        }
        console.choose("language", "en");
        server.restart();
        awaitNormal();
    }
}
