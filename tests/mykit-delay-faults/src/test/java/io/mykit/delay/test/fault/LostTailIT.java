package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.store.FlowAudit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Redis fails over to a replica that lacks the pushes, cancels, replacements and deliveries of the last seconds. */
@Tag("long")
class LostTailIT {
    private static final String NAME = "lost-tail";
    private static final int EACH = 10;
    private static final long HOUR_MS = 3_600_000;
    /** Not due before the failover is over. */
    private static final long AFTER_MS = 12_000;
    /** Due while the replica hears nothing. */
    private static final long DURING_MS = 1_500;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final String databaseUrl = SharedServers.mysql().freshDatabase("lost_tail");
    private final FlowAudit rows = FlowAudit.of(databaseUrl);
    private DelayServer server;
    private Inbox inbox;

    @Test
    void nothingIsLostAndWhatWasCancelledStaysCancelled() throws Exception {
        try (RedisSentinel redis = RedisSentinel.start(dir.resolve("redis"), "", RedisSentinel.PATIENT);
                Inbox opened = ActiveMqInbox.ofQueue(SharedServers.activeMq().url(), NAME);
                DelayServer started = start(redis.uri())) {
            server = started;
            inbox = opened;
            RedisServer first = redis.master();
            RedisServer second = redis.servers().stream()
                    .filter(each -> each != first)
                    .findFirst()
                    .orElseThrow();
            try (TcpProxy replication = new TcpProxy(first.port())) {
                // Sentinel would put this right, but only after eight seconds.
                second.command("REPLICAOF", "127.0.0.1", Integer.toString(replication.port()));
                await().until(second::isLinked);
                push("kept", AFTER_MS);
                push("cancelled", AFTER_MS);
                push("replaced", AFTER_MS);
                push("delivered", DURING_MS);
                await().until(() -> second.info("slave_repl_offset").equals(first.info("master_repl_offset")));
                replication.become(Weather.SILENT);

                push("tail", AFTER_MS);
                push("sleeping-tail", HOUR_MS);
                for (String id : ids("cancelled")) {
                    assertThat(client().delete(id).status()).isEqualTo(200);
                }
                for (String id : ids("replaced")) {
                    Map<String, Object> later = Map.of(
                            "topic", NAME, "id", id, "delay", AFTER_MS + DURING_MS, "body", "later", "replace", true);
                    assertThat(client().push(later).status()).isEqualTo(200);
                }
                inbox.await(EACH, Duration.ofSeconds(20));
                await().until(() -> rows.rows("status = 3") == EACH);
                assertThat(offset(first, "master_repl_offset") - offset(second, "slave_repl_offset"))
                        .as("bytes that the replica never hears of")
                        .isGreaterThan(EACH * 100L);
                redis.hasten();
                first.kill();
                replication.become(Weather.CUT);
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> redis.master() == second);
            assertThat(String.valueOf(second.command("DBSIZE")))
                    .as("the replica had something")
                    .isNotEqualTo("0");
            judge();
        }
    }

    private void judge() throws Exception {
        await().atMost(Duration.ofSeconds(40)).until(() -> rows.rows("status = 3") == 4 * EACH);
        await().atMost(Duration.ofSeconds(10)).until(() -> arrived().size() == 4 * EACH);
        // A new leader looks for messages that are not due yet.
        assertThat(server.stop()).isZero();
        server.restart();
        await().atMost(Duration.ofSeconds(20)).until(() -> ids("sleeping-tail").stream()
                .allMatch(id -> server.client().delete(id).status() == 200));
        assertThat(arrived()).doesNotContainAnyElementsOf(ids("cancelled")).containsAll(ids("tail"));
        assertThat(inbox.arrivals()).as("without a duplicate").hasSize(4 * EACH);
        assertThat(inbox.arrivals())
                .allSatisfy(arrival -> assertThat(arrival.arrivedAtMs()).isGreaterThanOrEqualTo(arrival.dueTimeMs()));
        assertThat(inbox.arrivals())
                .filteredOn(arrival -> arrival.id().startsWith("replaced"))
                .allSatisfy(arrival -> assertThat(arrival.body()).isEqualTo("later"));
        assertThat(rows.rows("status = 4")).isEqualTo(2 * EACH);
        assertThat(rows.violations()).isEmpty();
    }

    private static long offset(RedisServer server, String field) {
        return Long.parseLong(server.info(field));
    }

    private Set<String> arrived() {
        return inbox.arrivals().stream().map(Arrival::id).collect(Collectors.toSet());
    }

    private DelayClient client() {
        return server.client();
    }

    private void push(String kind, long delayMs) {
        Answer answer = client().pushBatch(ids(kind).stream()
                .map(id -> Map.of("topic", NAME, "id", id, "delay", delayMs, "body", "first"))
                .toList());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).doesNotContain("\"success\":false");
    }

    private static List<String> ids(String kind) {
        return IntStream.range(0, EACH).mapToObj(i -> kind + "-" + i).toList();
    }

    private DelayServer start(String redisUri) {
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", redisUri);
        settings.put("redis.timeout", "5s");
        settings.put("datasource.url", databaseUrl);
        settings.put("datasource.username", "root");
        settings.put("activemq.broker-url", SharedServers.activeMq().url());
        settings.put("queue.name", NAME);
        DelayServer started = DelayServer.start("server", dir.resolve("server"), settings, "-Xmx128m");
        await().atMost(Duration.ofSeconds(20)).until(started::isLeader);
        return started;
    }
}
