package io.mykit.delay.test.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.config.ConfigReference;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.TestCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Servers with marked secrets wherever one can be, whose parts all fail: no output has a mark, at the most talkative level. */
@Tag("long")
class SecretsInLogsIT {
    private static final String MARK = "s3cret";
    /** Keys whose values can be secret or can hold one. */
    private static final String SECRETIVE = ".*(password|token|secret|secret-key|uri|url)";

    private static final Pattern DETAILS = Pattern.compile("The details are in ([^\"\\s]+)");
    /** One for each channel that connects to another server, and for the registry of services. */
    private static final List<String> TOPICS =
            List.of("hooks", "served", "rocket", "rabbit", "active", "stream", "called");
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
            for (String topic : TOPICS) {
                push(server, topic, MARK + "-body");
            }
            call(server, "/job/1?token=" + MARK + "-query", MARK + "-wrong-token");
            call(server, "/" + MARK + "-path", MARK + "-wrong-token");
            await().atMost(Duration.ofSeconds(60)).until(() -> backingOff(server) == TOPICS.size());
            assertThat(server.log()).contains("cannot be delivered");
            server.stop();
            assertThat(server.log()).doesNotContain(MARK);
            assertThat(Files.readString(file)).contains("\"route\":\"push\"").doesNotContain(MARK);
        }
    }

    @Test
    void aServerWithoutRedisTellsNoSecret() throws Exception {
        Map<String, String> settings = settings();
        settings.put("redis.uri", "redis://" + MARK + "-user:" + MARK + "-redis@127.0.0.1:" + dead + "/0");
        try (DelayServer server = DelayServer.start("lonely", dir.resolve("lonely"), settings)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> server.log().contains("Redis"));
            server.stop();
            assertThat(server.log()).doesNotContain(MARK);
        }
    }

    @Test
    void aServerThatCannotStartTellsNoSecret() throws Exception {
        Map<String, String> settings = settings();
        settings.put("redis.uri", "redis://" + MARK + "-user:" + MARK + "-redis@127.0.0.1:" + dead + "/0");
        settings.put("datasource.url", "jdbc:mysql://127.0.0.1:" + dead + "/delay?user=u&password=" + MARK + "-url");
        settings.put("datasource.timeout", "1s");
        DelayServer server = DelayServer.prepare("refused", dir, settings, "-Xmx256m");
        try (server) {
            server.begin("");
            assertThat(server.awaitExit(Duration.ofSeconds(60))).hasValue(1);
            assertThat(server.log()).contains("cannot start").doesNotContain(MARK);
            Matcher details = DETAILS.matcher(server.log());
            assertThat(details.find()).isTrue();
            assertThat(Files.readString(Path.of(details.group(1)))).doesNotContain(MARK);
        }
    }

    /** Each key that can have a secret has one. */
    private Map<String, String> settings() throws IOException, GeneralSecurityException {
        String whole =
                Base64.getEncoder().encodeToString((MARK + "-of-a-webhook-000000").getBytes(StandardCharsets.UTF_8));
        Map<String, String> settings = new HashMap<>();
        settings.put("http.admin-token", MARK + "-admin-token");
        settings.put("http.producer-token", MARK + "-producer-token");
        settings.put("http.viewer-token", MARK + "-viewer-token");
        settings.put("redis.uri", "embedded");
        settings.put("datasource.url", "embedded");
        settings.put("datasource.password", MARK + "-datasource");
        settings.put("rocketmq.namesrv-addr", "127.0.0.1:" + dead);
        settings.put("rocketmq.access-key", MARK + "-access");
        settings.put("rocketmq.secret-key", MARK + "-rocketmq");
        settings.put("kafka.bootstrap-servers", "127.0.0.1:" + dead);
        settings.put("kafka.username", "u");
        settings.put("kafka.password", MARK + "-kafka");
        settings.put("kafka.properties.sasl.oauthbearer.client.credentials.client.secret", MARK + "-property");
        settings.put("ingest.kafka.bootstrap-servers", "127.0.0.1:" + dead);
        settings.put("ingest.kafka.username", "u");
        settings.put("ingest.kafka.password", MARK + "-ingest");
        settings.put("ingest.kafka.properties.sasl.oauthbearer.client.credentials.client.secret", MARK + "-property");
        settings.put("rabbitmq.addresses", "127.0.0.1:" + dead);
        settings.put("rabbitmq.username", "u");
        settings.put("rabbitmq.password", MARK + "-rabbitmq");
        settings.put("rabbitmq.tls", "true");
        settings.put("activemq.broker-url", "failover:(ssl://127.0.0.1:" + dead + "?jms.password=" + MARK + "-jms)");
        settings.put("activemq.username", "u");
        settings.put("activemq.password", MARK + "-activemq");
        settings.put("webhook.url", "http://127.0.0.1:" + dead + "/hook/?token=" + MARK + "-hook");
        settings.put("webhook.secret", "whsec_" + whole);
        settings.put("webhook.discovery", "eureka");
        settings.put("webhook.eureka-url", "http://u:" + MARK + "-eureka@127.0.0.1:" + dead + "/eureka");
        settings.put("grpc.host", "127.0.0.1:" + dead);
        settings.put("grpc.service", "shop.Orders");
        settings.put("grpc.method", "Cancel");
        settings.put("grpc.discovery", "eureka");
        settings.put("grpc.eureka-url", "http://u:" + MARK + "-eureka@127.0.0.1:" + dead + "/eureka");
        settings.put("tracing.otlp.endpoint", "http://127.0.0.1:" + dead + "/v1/traces?token=" + MARK + "-otlp");
        settings.put("tracing.otlp.headers", "authorization=" + MARK + "-otlp");
        settings.put("tracing.ratio", "1");
        settings.put("lmstfy.admin-user", "boss");
        settings.put("lmstfy.admin-password", MARK + "-lmstfy");
        Path store = store(MARK + "-store");
        for (String section : List.of("rocketmq", "activemq", "kafka", "ingest.kafka", "rabbitmq", "webhook", "grpc")) {
            for (String kind : List.of("trust-store", "key-store")) {
                settings.put(section + "." + kind, store.toString());
                settings.put(section + "." + kind + "-password", MARK + "-store");
            }
        }
        Set<String> missing = ConfigReference.entries().stream()
                .map(entry -> entry.name().substring("mykit.delay.".length()))
                .filter(name -> name.matches(SECRETIVE) && !name.contains("<"))
                .filter(name -> !settings.containsKey(name))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(missing).as("keys that this test does not know").isEmpty();
        settings.put("delivery.topics.hooks", "webhook");
        settings.put("delivery.topics.served", "webhook");
        settings.put("webhook.topics.served.url", "service://shop/hook");
        settings.put("rocketmq.tls", "true");
        settings.put("kafka.tls", "true");
        settings.put("ingest.kafka.tls", "true");
        settings.put("delivery.topics.rocket", "rocketmq");
        settings.put("delivery.topics.rabbit", "rabbitmq");
        settings.put("delivery.topics.active", "activemq");
        settings.put("delivery.topics.stream", "kafka");
        settings.put("delivery.topics.called", "grpc");
        settings.put("log.level", "trace");
        settings.put("log.format", "json");
        settings.put("log.requests", "all");
        return settings;
    }

    /** A file with a certificate and its key. */
    private Path store(String password) throws IOException, GeneralSecurityException {
        char[] former = TestCertificate.PASSWORD.toCharArray();
        Path made = TestCertificate.make(dir, "stores", "ip:127.0.0.1").store();
        KeyStore keys = KeyStore.getInstance(made.toFile(), former);
        String alias = keys.aliases().nextElement();
        KeyStore marked = KeyStore.getInstance("PKCS12");
        marked.load(null, null);
        marked.setKeyEntry(alias, keys.getKey(alias, former), password.toCharArray(), keys.getCertificateChain(alias));
        marked.setCertificateEntry("authority", keys.getCertificate(alias));
        Path file = dir.resolve("marked.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            marked.store(out, password.toCharArray());
        }
        return file;
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

    /** The log tells of the first topics one by one, and of the others together. */
    private static double backingOff(DelayServer server) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/metrics"))
                .header("Authorization", "Bearer " + MARK + "-admin-token")
                .build();
        var scrape = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        return new Answer(scrape.statusCode(), scrape.body()).metric("mykit_delay_topics_backing_off");
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
