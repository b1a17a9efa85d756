package io.mykit.delay.test.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.store.FlowAudit;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server whose heap is smaller than its large messages together, on the ways behind a delivery: dead letters that are parked while the
 * database is away, their copies for a dead-letter topic, consumers that give up, a respawn, results, and orphans in Redis.
 */
@Tag("nightly")
class SmallHeapOutcomesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    /** The number of messages of one MB each: as bytes and as text more than the heap, and fewer than a page of parked outcomes. */
    private static final int LARGE = 200;
    /** On a slow machine a message may be given back, and then waits for the database. */
    private static final long PARKED = 150;

    private static final int AT_ONCE = 8;
    private static final int BURIED = 20;
    private static final String BODY = "b".repeat(1_000_000);
    private static final byte[] RESULT = "r".repeat(60_000).getBytes(US_ASCII);
    private static final String KEYS = "io.mykit.delay:{mykit-delay:0/1}:";

    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newFixedThreadPool(32);
    private volatile int status = 410;
    private HttpServer receiver;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @BeforeEach
    void receive() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.setExecutor(threads);
        receiver.createContext("/hook", this::answer);
        receiver.start();
    }

    @AfterEach
    void end() {
        mayAnswer.countDown();
        receiver.stop(0);
        threads.shutdownNow();
    }

    @Test
    void largeBodiesAreNeverInMemoryTogether() {
        String database = SharedServers.mysql().freshDatabase("small_heap_outcomes");
        FlowAudit rows = FlowAudit.of(database);
        try (RedisServer redis = RedisServer.start(dir.resolve("redis"), "");
                TcpProxy toDatabase = new TcpProxy(SharedServers.mysql().port());
                DelayServer server = DelayServer.start(
                        "server",
                        dir,
                        settings(toDatabase.through(database), redis),
                        "-Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC")) {
            // A call that goes through all bodies may take a minute.
            DelayClient client = new DelayClient(server.port(), PATIENCE);
            pushAll(client);

            // The deliveries go on without the database, and their outcomes are parked.
            toDatabase.become(Weather.CUT);
            mayAnswer.countDown();
            await().atMost(PATIENCE).until(() -> (Long) redis.command("HLEN", KEYS + "parked") >= PARKED);
            toDatabase.become(Weather.FAIR);
            await().atMost(PATIENCE).until(() -> rows.rows("topic = 'calls' AND status = 6") == LARGE);
            assertThat(rows.rows("id = 'good' AND status = 3")).isEqualTo(1);
            await().atMost(PATIENCE).until(() -> rows.rows("topic = 'graves'") == LARGE);

            bury(client);
            // The copies are in no place now, until the loop "strays" finds them in the pool.
            redis.command("DEL", KEYS + "ready:graves", KEYS + "waiting:graves");
            status = 200;
            assertThat(client.post("/dead/respawn", "{\"topic\":\"calls\"}").status())
                    .isEqualTo(200);
            await().atMost(PATIENCE).until(() -> rows.rows("topic = 'calls' AND status = 3") == LARGE);
            assertThat(client.job("large-1").dataObject().getString("result")).hasSize(RESULT.length);
            await().atMost(PATIENCE).until(() -> !pull(client).isEmpty());

            assertThat(server.isAlive()).as("no OutOfMemoryError").isTrue();
            assertThat(server.log()).doesNotContain("OutOfMemoryError");
        }
    }

    private Map<String, String> settings(String database, RedisServer redis) {
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", redis.uri());
        // A small heap on a busy machine may stand still for some seconds, which is not what this test is about.
        settings.put("redis.timeout", "20s");
        settings.put("datasource.url", database);
        settings.put("datasource.username", "root");
        settings.put("queue.buckets", "1");
        settings.put("delivery.default-channel", "webhook");
        settings.put("delivery.topics.graves", "pull");
        settings.put("delivery.policy.calls.dead-letter-topic", "graves");
        settings.put("webhook.url", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
        settings.put("webhook.timeout", "5m");
        settings.put("delivery.lease", "10m");
        settings.put("webhook.keep-result", "true");
        return settings;
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            long bytes = call.getRequestBody().transferTo(OutputStream.nullOutputStream());
            mayAnswer.await();
            boolean good = status == 200 || bytes < BODY.length();
            call.sendResponseHeaders(good ? 200 : status, good ? RESULT.length : -1);
            if (good) {
                call.getResponseBody().write(RESULT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pushAll(DelayClient client) {
        assertThat(client.push(Map.of("id", "good", "topic", "good", "body", "small"))
                        .status())
                .isEqualTo(200);
        for (int from = 0; from < LARGE; from += AT_ONCE) {
            List<CompletableFuture<Answer>> pushed = IntStream.range(from, Math.min(LARGE, from + AT_ONCE))
                    .mapToObj(i -> client.pushAsync(Map.of("id", "large-" + i, "topic", "calls", "body", BODY)))
                    .toList();
            pushed.forEach(answer -> assertThat(answer.join().status()).isEqualTo(200));
        }
    }

    private static void bury(DelayClient client) {
        int buried = 0;
        while (buried < BURIED) {
            JSONArray pulled = pull(client);
            for (int i = 0; i < pulled.size(); i++) {
                Map<String, String> held = Map.of(
                        "id", pulled.getJSONObject(i).getString("id"),
                        "receipt", pulled.getJSONObject(i).getString("receipt"));
                assertThat(client.post("/bury", JSON.toJSONString(held)).status())
                        .isEqualTo(200);
                buried++;
            }
        }
    }

    private static JSONArray pull(DelayClient client) {
        Answer answer = client.post("/pull", "{\"topic\":\"graves\",\"count\":100,\"wait\":\"5s\",\"ttr\":\"60s\"}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return JSON.parseObject(answer.text()).getJSONArray("data");
    }
}
