package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The consoles of a leader and of a standby show the same queue, and act on it. */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleTwoNodesIT {
    private Browser browser;
    private RedisServer redis;
    private Path dir;
    private Map<String, String> settings;
    private DelayServer leader;
    private DelayServer standby;

    @BeforeAll
    void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        browser = Browser.shared();
        redis = RedisServer.start(dir.resolve("redis"), "console");
        this.dir = dir;
        settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("console_nodes"));
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "console");
        settings.put("queue.name", "console-" + System.nanoTime());
        settings.put("http.drain", "0s");
        leader = DelayServer.start("leader", dir.resolve("leader"), settings);
        Console.patiently().until(leader::isLeader);
        standby = DelayServer.start("standby", dir.resolve("standby"), settings);
    }

    @AfterAll
    void stop() {
        List.of(standby, leader).forEach(DelayServer::close);
        redis.close();
    }

    @AfterEach
    void noProblem() {
        browser.assertNoProblems();
    }

    private static String name(DelayServer server) {
        return server.client().get("/overview").dataObject().getString("answeredBy");
    }

    private void push(String id) {
        assertThat(leader.client()
                        .push(Map.of("id", id, "topic", "orders", "delay", ConsoleFixture.HOUR_MS / 2))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void bothShowTheSameLeaderAndBothNodes() {
        for (DelayServer server : List.of(leader, standby)) {
            Console console = new Console(browser, server.url());
            console.open("en", "overview");
            console.awaitText("leader", name(leader) + " has led for");
            Console.patiently().untilAsserted(() -> assertThat(console.text("nodes"))
                    .contains(name(leader), name(standby), "leads", "stands by"));
            assertThat(console.text("nodes")).containsOnlyOnce("answers");
        }
    }

    @Test
    void aTopicThatWaitsForTheNodesToAgreeSaysWhy() {
        Map<String, String> others = new HashMap<>(settings);
        others.put("delivery.topics.newt", "pull");
        try (DelayServer third = DelayServer.start("third", dir.resolve("third"), others)) {
            Console console = new Console(browser, leader.url());
            console.open("en", "topics?topic=newt");
            console.awaitText("topic-state", "waits for the nodes to agree");
            assertThat(console.text("topic-state"))
                    .contains("node " + name(third) + " delivers it by pull, this node by console");
            console.open("en", "overview");
            console.awaitText("warnings", "have different settings of deliveries: delivery.topics.newt");
            console.awaitText("warnings", "Waits, because a node delivers it by another channel than the leader: newt");
        }
    }

    @Test
    void theStandbyActsAndTheLeaderShowsWhoDidIt() {
        push("of-standby");
        Console console = new Console(browser, standby.url());
        console.open("en", "messages?id=of-standby");
        console.click("cancel");
        assertThat(console.confirm()).isEqualTo("Cancelled. No delivery will start.");
        assertThat(leader.client().job("of-standby").dataObject().getString("statusName"))
                .isEqualTo("DELETE");

        push("in-redis");
        console.open("en", "topics?topic=orders");
        console.click("retry");
        console.awaitText("answer", "The next message is sent now.");
        console.open("en", "topics?topic=orders");
        console.click("pause");
        console.awaitText("answer", "Paused");
        Console.patiently().until(() -> leader.client()
                .get("/topics?topic=orders")
                .json()
                .getJSONArray("data")
                .getJSONObject(0)
                .getBooleanValue("paused"));

        Console other = new Console(browser, leader.url());
        other.open("en", "operations");
        Console.patiently().untilAsserted(() -> assertThat(other.text("recent-list"))
                .contains(
                        "pause",
                        "try now",
                        "topic=orders",
                        "cancel",
                        "of-standby",
                        name(standby),
                        "127.0.0.1",
                        "no token"));
        browser.screenshot("operations-recent");
    }

    @Test
    void theStandbyChartsWhatTheLeaderDelivers() {
        JSONObject now = JSONObject.of("id", "now", "topic", "orders-now");
        assertThat(leader.client().push(now).status()).isEqualTo(200);
        Console console = new Console(browser, standby.url());
        console.open("en", "overview");
        Console.patiently().until(() -> !console.all("[data-test='chart-flow'] path.line.b[d^='M']")
                .isEmpty());
        Console.patiently().until(() -> !console.shows("series-limits"));
    }
}
