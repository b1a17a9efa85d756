package io.mykit.delay.test.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.server.TestCertificate;
import io.mykit.delay.v1.DelayServiceGrpc;
import io.mykit.delay.v1.TaskId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What two nodes export after each part has done its work once, against the list of families, the rules and the dashboard. */
@Tag("long")
class MetricsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String PREFIX = "mykit_delay_";

    @TempDir
    static Path dir;

    private static RedisServer redis;
    /** The families of a node without TLS. */
    private static final List<Family> PLAIN = Stream.of(Family.values())
            .filter(family -> !family.name().startsWith("TLS_"))
            .toList();

    private static DelayServer leader;
    private static DelayServer standby;
    private static Scrape ofLeader;
    private static Scrape ofStandby;
    private static Scrape both;

    @BeforeAll
    static void work() {
        redis = RedisServer.start(dir.resolve("redis"), "metrics");
        Map<String, String> settings = Map.ofEntries(
                Map.entry("mode", "master-standby"),
                Map.entry("registry.server-list", SharedServers.zooKeeper().connectString()),
                Map.entry("redis.uri", redis.uri()),
                Map.entry("datasource.url", SharedServers.mysql().freshDatabase("metrics")),
                Map.entry("datasource.username", "root"),
                Map.entry("delivery.default-channel", "console"),
                Map.entry("delivery.topics.orders", "console"),
                Map.entry("delivery.topics.work", "pull"),
                Map.entry("queue.name", "metrics-" + System.nanoTime()),
                Map.entry("grpc-api.port", "0"),
                Map.entry("ingest.kafka.bootstrap-servers", "127.0.0.1:" + FreePorts.next()),
                Map.entry("http.drain", "0s"));
        leader = DelayServer.start("leader", dir.resolve("leader"), settings);
        await().atMost(PATIENCE).until(leader::isLeader);
        standby = secured("standby", settings);
        push(leader.client());
        callByGrpc();
        // The counts begin with the first scrape.
        await().atMost(PATIENCE).untilAsserted(() -> {
            scrape();
            assertThat(families(ofLeader)).containsAll(exported(PLAIN));
            assertThat(families(ofStandby)).contains(Family.STORE_UP.exported());
            assertThat(ofLeader.sum("mykit_delay_messages_near{place=\"pool\"}"))
                    .isEqualTo(1);
        });
    }

    /** A node whose ports have TLS, which has the families of that. */
    private static DelayServer secured(String name, Map<String, String> settings) {
        TestCertificate certificate = TestCertificate.make(dir, name, "ip:127.0.0.1");
        Map<String, String> own = new TreeMap<>(settings);
        own.put("http.tls.certificate", certificate.chain().toString());
        own.put("http.tls.key", certificate.key().toString());
        return DelayServer.startSecure(
                name, dir.resolve(name), own, TestCertificate.client(Optional.empty(), certificate));
    }

    private static void push(DelayClient client) {
        assertThat(client.push(message("m1", "orders", 0)).status()).isEqualTo(200);
        assertThat(client.push(message("m2", "other", 0)).status()).isEqualTo(200);
        assertThat(client.push(message("m3", "work", 0)).status()).isEqualTo(200);
        assertThat(client.push(message("m4", "orders", 1_800_000)).status()).isEqualTo(200);
        assertThat(client.push(message("m5", "orders", 30L * 86_400_000)).status())
                .isEqualTo(200);
        assertThat(client.pushBatch(List.of(message("b1", "orders", 0), message("b2", "", 0)))
                        .status())
                .isEqualTo(200);
        Answer pulled = client.get("/get/work?wait=20s&ack=auto");
        assertThat(pulled.text()).contains("m3");
        for (String id : List.of("m1", "m2", "b1")) {
            await().atMost(PATIENCE)
                    .until(() ->
                            client.job(id).dataObject().getString("statusName").equals("FINISH"));
        }
        assertThat(client.delete("m5").status()).isEqualTo(200);
    }

    private static void callByGrpc() {
        int port = leader.client()
                .health()
                .dataObject()
                .getJSONObject("checks")
                .getJSONObject("grpc-api")
                .getJSONObject("details")
                .getIntValue("port");
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        try {
            TaskId unknown = TaskId.newBuilder().setTaskId("none").build();
            assertThatThrownBy(() -> DelayServiceGrpc.newBlockingStub(channel).getTask(unknown))
                    .hasMessageContaining("NOT_FOUND");
        } finally {
            channel.shutdownNow();
        }
    }

    private static Map<String, Object> message(String id, String topic, long delayMs) {
        Map<String, Object> message = new TreeMap<>();
        message.put("id", id);
        message.put("topic", topic);
        message.put("delay", delayMs);
        message.put("body", "x");
        return message;
    }

    private static void scrape() {
        String one = leader.client().get("/metrics").text();
        String two = standby.client().get("/metrics").text();
        ofLeader = new Scrape(one);
        ofStandby = new Scrape(two);
        both = new Scrape(one, two);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable part : new AutoCloseable[] {standby, leader, redis}) {
            if (part != null) {
                part.close();
            }
        }
    }

    @Test
    void exportsEveryFamilyAndNoOthers() {
        assertThat(families(both)).containsExactlyElementsOf(exported(List.of(Family.values())));
    }

    @Test
    void typesHelpAndLabelsAreThoseOfTheList() {
        for (Family family : Family.values()) {
            assertThat(both.types())
                    .containsEntry(family.exported(), family.kind().type());
            assertThat(both.helps()).containsEntry(family.exported(), family.help());
            assertThat(both.labelsOf(family.exported()))
                    .as(family.exported())
                    .containsExactlyInAnyOrderElementsOf(family.labels());
        }
    }

    @Test
    void aStandbyLeavesOutWhatTheLeaderAloneKnows() {
        List<Family> ofTheLeader = List.of(Family.values()).stream()
                .filter(family -> family.kind().isOfLeader())
                .toList();
        assertThat(families(ofStandby)).doesNotContainAnyElementsOf(exported(ofTheLeader));
        assertThat(ofStandby.sum("mykit_delay_leader ")).isZero();
        assertThat(ofLeader.sum("mykit_delay_leader ")).isEqualTo(1);
    }

    @Test
    void countsWhatWasDone() {
        assertThat(both.sum("mykit_delay_messages_accepted_total{via=\"http\"}"))
                .isEqualTo(5);
        assertThat(both.sum("mykit_delay_messages_accepted_total{via=\"batch\"}"))
                .isEqualTo(1);
        assertThat(both.sum("mykit_delay_messages_refused_total{reason=\"invalid\"}"))
                .isEqualTo(1);
        assertThat(both.sum("mykit_delay_messages_delivered_total{channel=\"console\"}"))
                .isEqualTo(3);
        assertThat(both.sum("mykit_delay_messages_delivered_total{channel=\"pull\"}"))
                .isEqualTo(1);
        assertThat(both.sum("mykit_delay_attempts_total{channel=\"console\",outcome=\"delivered\"}"))
                .isEqualTo(3);
        assertThat(both.sum("mykit_delay_lateness_seconds_count{channel=\"console\"}")
                        + both.sum("mykit_delay_lateness_overdue_seconds_count "))
                .isEqualTo(3);
        assertThat(both.sum("mykit_delay_topic_delivered_total{topic=\"orders\"}"))
                .isEqualTo(2);
        assertThat(both.sum("mykit_delay_messages_cancelled_total")).isEqualTo(1);
        assertThat(both.sum("mykit_delay_topic_messages{topic=\"orders\"}")).isEqualTo(1);
        assertThat(both.sum("mykit_delay_messages_far ")).isZero();
    }

    @Test
    void everyLoopOfTheHealthReportIsMeasured() {
        JSONObject loops = leader.client()
                .health()
                .dataObject()
                .getJSONObject("checks")
                .getJSONObject("loops")
                .getJSONObject("details");
        String text = leader.client().get("/metrics").text();
        assertThat(loops).isNotEmpty();
        assertThat(loops.keySet()).allSatisfy(loop -> assertThat(text)
                .contains("mykit_delay_loop_last_tick_age_seconds{loop=\"" + loop.replaceAll("-[0-9]+$", "")));
    }

    @Test
    void onlyTopicsOfTheConfigurationAreLabels() {
        assertThat(leader.client().get("/metrics").text())
                .contains("topic=\"orders\"", "topic=\"work\"")
                .doesNotContain("topic=\"other\"");
    }

    @Test
    void rulesNameOnlyWhatIsExported() {
        assertThat(AlertRules.all()).allSatisfy(rule -> assertThat(new Expression(rule.expression()).unknownIn(both))
                .as(rule.name())
                .isEmpty());
    }

    @Test
    void theDashboardNamesOnlyWhatIsExported() {
        assertThat(Dashboard.read().expressions())
                .allSatisfy(expression -> assertThat(new Expression(expression).unknownIn(both))
                        .as(expression)
                        .isEmpty());
    }

    private static Set<String> exported(List<Family> families) {
        TreeSet<String> names = new TreeSet<>();
        families.forEach(family -> names.add(family.exported()));
        return names;
    }

    /** The families of the server itself, without the maxima that belong to histograms. */
    private static Set<String> families(Scrape scrape) {
        TreeSet<String> names = new TreeSet<>(scrape.types().keySet());
        names.removeIf(name -> !name.startsWith(PREFIX) || name.endsWith("_max"));
        return names;
    }
}
