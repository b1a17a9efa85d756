package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of an older distribution settles what one of this build handed out, and the other way round. The older distribution knows pulled
 * topics, and no names of consumers: f27558e. {@link OlderNodeIT} tells how to make one; give its directory as
 * {@code mykit.test.older-pull}.
 */
@Tag("long")
@EnabledIfSystemProperty(
        named = "mykit.test.older-pull",
        matches = ".+",
        disabledReason = "no older distribution: -Dmykit.test.older-pull=<directory of an unpacked distribution>")
class OlderHoldsIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void eachSettlesWhatTheOtherHandedOut() {
        try (RedisServer redis = RedisServer.start(dir.resolve("redis"), "older-holds")) {
            Map<String, String> settings = settings(redis);
            Path home = Path.of(System.getProperty("mykit.test.older-pull")).toAbsolutePath();
            try (DelayServer older = DelayServer.prepare(home, "older", dir.resolve("older"), settings, "-Xmx384m");
                    DelayServer newer = DelayServer.prepare("newer", dir.resolve("newer"), settings, "-Xmx384m")) {
                older.restart();
                await().atMost(LONG).until(older::isLeader);
                newer.restart();
                for (String verb : new String[] {"ack", "nack", "release", "bury"}) {
                    settle(newer, older, verb, "&consumer=pod.of-orders-7d9f8b6c5d-x2x9");
                    settle(newer, older, verb, "");
                    settle(older, newer, verb, "");
                }
            }
        }
    }

    private static void settle(DelayServer from, DelayServer to, String verb, String name) {
        String topic = "holds-" + System.nanoTime();
        from.client().push(Map.of("topic", topic, "id", topic, "body", "work"));
        JSONArray pulled = await().atMost(LONG)
                .until(
                        () -> from.client()
                                .post("/pull?wait=5s&ttr=60s&topic=" + topic + name, "")
                                .json()
                                .getJSONArray("data"),
                        data -> !data.isEmpty());
        JSONObject message = pulled.getJSONObject(0);
        String settled = "?id=" + topic + "&receipt=" + message.get("receipt");
        assertThat(to.client().post("/extend" + settled, "").status()).isEqualTo(200);
        assertThat(to.client().post("/" + verb + settled, "").status()).isEqualTo(200);
        assertThat(from.client().post("/extend" + settled, "").error()).isEqualTo("LEASE_LOST");
    }

    private static Map<String, String> settings(RedisServer redis) {
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("older_holds"));
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "pull");
        settings.put("queue.name", "older-holds-" + System.nanoTime());
        settings.put("http.drain", "0s");
        return settings;
    }
}
