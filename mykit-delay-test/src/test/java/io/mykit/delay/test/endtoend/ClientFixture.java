package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.MessageStatus;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The Java client with two packaged servers for all tests of a class. The first one leads. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ClientFixture {
    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

    /** The order of a test that ends a node. */
    static final int LAST = Integer.MAX_VALUE;

    DelayServer one;
    DelayServer two;
    DelayClient client;
    private RedisServer redis;

    /** The settings of the servers, beside those that a test needs to find its parts. */
    abstract Map<String, String> settings();

    @BeforeAll
    void startServers(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        redis = RedisServer.start(dir.resolve("redis"), "client");
        Map<String, String> settings = new HashMap<>(settings());
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("registry.session-timeout", SESSION_TIMEOUT.toSeconds() + "s");
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("client"));
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "console");
        settings.put("queue.name", "client-" + System.nanoTime());
        settings.put("http.drain", "0s");
        one = DelayServer.start("one", dir.resolve("one"), settings);
        await().atMost(Duration.ofSeconds(20)).until(one::isLeader);
        two = DelayServer.start("two", dir.resolve("two"), settings);
        client = DelayClient.builder().endpoints(one.url(), two.url()).build();
    }

    @AfterAll
    void stopServers() {
        for (DelayServer server : new DelayServer[] {one, two}) {
            if (server != null) {
                server.close();
            }
        }
        redis.close();
    }

    void awaitStatus(String id, MessageStatus status) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(client.find(id).orElseThrow().status())
                        .as(id)
                        .isEqualTo(status));
    }
}
