package io.mykit.delay.test.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.config.ConfigReference;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Servers with marked secrets wherever one can be, whose parts all fail: no output has a mark, at the most talkative level. */
class SecretsInLogsIT {
    private static final String MARK = "s3cret";
    /** Keys whose values can be secret or can hold one. */
    private static final String SECRETIVE = ".*(password|token|secret|secret-key|uri|url)";
    /** A port that no server has. */
    private final int dead = FreePorts.next();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void aServerWhosePartsFailTellsNoSecret() throws Exception {
        Map<String, String> settings = settings();
        Path file = dir.resolve("server.log");
        settings.put("log.file", file.toString());
        try (DelayServer server = DelayServer.start("talkative", dir, settings)) {
            push(server, "hooks", MARK + "-body");
            push(server, "rocket", MARK + "-body");
            push(server, "active", MARK + "-body");
            push(server, "hooks", "{\"password\":\"" + MARK + "-json\"}");
            call(server, "/job/1?token=" + MARK + "-query", MARK + "-wrong-token");
            call(server, "/" + MARK + "-path", MARK + "-wrong-token");
            // Each channel has failed once, and Redis and the database of the registry were asked.
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                String log = server.log();
                return log.contains("webhook") && log.contains("rocketmq") && log.contains("activemq");
            });
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> server.log().lines().count() > 30);
            server.stop();
            assertThat(server.log()).doesNotContain(MARK);
            assertThat(Files.readString(file)).contains("\"route\":\"push\"").doesNotContain(MARK);
        }
    }

    @Test
    void aServerWithoutRedisTellsNoSecret() {
        Map<String, String> settings = settings();
        settings.put("redis.uri", "redis://" + MARK + "-user:" + MARK + "-redis@127.0.0.1:" + dead + "/0");
        try (DelayServer server = DelayServer.start("lonely", dir.resolve("lonely"), settings)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> server.log().contains("Redis"));
            server.stop();
            assertThat(server.log()).doesNotContain(MARK);
        }
    }

    @Test
    void aServerThatCannotStartTellsNoSecret() throws IOException {
        Map<String, String> settings = settings();
        settings.put("redis.uri", "redis://" + MARK + "-user:" + MARK + "-redis@127.0.0.1:" + dead + "/0");
        settings.put("datasource.url", "jdbc:mysql://127.0.0.1:" + dead + "/delay?user=u&password=" + MARK + "-url");
        settings.put("datasource.timeout", "1s");
        DelayServer server = DelayServer.prepare("refused", dir, settings, "-Xmx256m");
        try (server) {
            server.begin("");
            assertThat(server.awaitExit(Duration.ofSeconds(60))).hasValue(1);
            assertThat(server.log()).contains("cannot start").doesNotContain(MARK);
            assertThat(Files.readString(dir.resolve("data/start-failure.log"))).doesNotContain(MARK);
        }
    }

    /** Each key that can have a secret has one. */
    private Map<String, String> settings() {
        String whole =
                Base64.getEncoder().encodeToString((MARK + "-of-a-webhook-000000").getBytes(StandardCharsets.UTF_8));
        Map<String, String> settings = new HashMap<>();
        settings.put("http.admin-token", MARK + "-admin-token");
        settings.put("http.producer-token", MARK + "-producer-token");
        settings.put("redis.uri", "embedded");
        settings.put("datasource.url", "embedded");
        settings.put("datasource.password", MARK + "-datasource");
        settings.put("rocketmq.namesrv-addr", "127.0.0.1:" + dead);
        settings.put("rocketmq.access-key", MARK + "-access");
        settings.put("rocketmq.secret-key", MARK + "-rocketmq");
        settings.put("activemq.broker-url", "failover:(tcp://127.0.0.1:" + dead + "?jms.password=" + MARK + "-jms)");
        settings.put("activemq.username", "u");
        settings.put("activemq.password", MARK + "-activemq");
        settings.put("webhook.url", "http://127.0.0.1:" + dead + "/hook/?token=" + MARK + "-hook");
        settings.put("webhook.secret", "whsec_" + whole);
        settings.put("webhook.discovery", "eureka");
        settings.put("webhook.eureka-url", "http://u:" + MARK + "-eureka@127.0.0.1:" + dead + "/eureka");
        for (String channel : List.of("rocketmq", "activemq", "webhook")) {
            for (String store : List.of("trust-store", "key-store")) {
                settings.put(channel + "." + store + "-password", MARK + "-" + store);
            }
        }
        Set<String> missing = ConfigReference.entries().stream()
                .map(entry -> entry.name().substring("mykit.delay.".length()))
                .filter(name -> name.matches(SECRETIVE) && !name.contains("<"))
                .filter(name -> !settings.containsKey(name))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(missing).as("keys that this test does not know").isEmpty();
        settings.put("delivery.topics.hooks", "webhook");
        settings.put("delivery.topics.rocket", "rocketmq");
        settings.put("delivery.topics.active", "activemq");
        settings.put("log.level", "trace");
        settings.put("log.format", "json");
        settings.put("log.requests", "all");
        return settings;
    }

    private static void push(DelayServer server, String topic, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/push"))
                .header("Authorization", "Bearer " + MARK + "-producer-token")
                .POST(BodyPublishers.ofString("{\"topic\":\"" + topic + "\",\"body\":\"" + body.replace("\"", "\\\"")
                        + "\",\"headers\":{\"x-key\":\"" + MARK + "-header\"}}"))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    private static void call(DelayServer server, String path, String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + token)
                .header("Cookie", "session=" + MARK + "-cookie")
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .statusCode())
                .isBetween(400, 404);
    }
}
