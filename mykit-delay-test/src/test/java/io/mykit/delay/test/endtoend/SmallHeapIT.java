package io.mykit.delay.test.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSON;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.store.FlowAudit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server whose heap is smaller than a page of large bodies: after many small messages come large ones, on every way that
 * messages are read. It ends at its first OutOfMemoryError.
 */
@Tag("long")
class SmallHeapIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int SMALL = 1_100;
    /** The number of messages of one MiB each. */
    private static final int LARGE = 400;

    private static final int CONFLICTS = 300;
    private static final int UNREAD = 500;
    private static final int AT_ONCE = 8;
    /** Long enough for all pushes before the first message is within the horizon. */
    private static final long WAIT_MS = 45_000;

    private static final String BODY = "b".repeat(1_000_000);

    @Test
    void largeBodiesAreNeverInMemoryTogether(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) throws IOException {
        String database = SharedServers.mysql().freshDatabase("small_heap");
        try (RedisServer redis = RedisServer.start(dir.resolve("redis"), "smallHeap");
                DelayServer server = DelayServer.start("server", dir, settings(database, redis), "-Xmx128m")) {
            DelayClient client = server.client();
            long dueMs = System.currentTimeMillis() + WAIT_MS;
            pushAll(client, dueMs);
            // The loader, from the small ones to the large ones.
            await().atMost(PATIENCE).until(() -> rows(database, "status = 0") == 0);

            redis.command("FLUSHALL");
            assertThat(client.get("/reStore").status()).isEqualTo(200);
            conflict(client);
            unreadAnswers(server);

            await().atMost(PATIENCE).until(() -> rows(database, "status = 3") == SMALL + LARGE);
            await().atMost(PATIENCE).until(() -> client.get("/metrics").text().contains("pending_bytes 0.0"));
            assertThat(server.isAlive()).as("no OutOfMemoryError").isTrue();
            assertThat(server.log()).doesNotContain("OutOfMemoryError");
        }
    }

    private static Map<String, String> settings(String database, RedisServer redis) {
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", redis.uri());
        // A small heap on a busy machine may stand still for some seconds, which is not what this test is about.
        settings.put("redis.timeout", "20s");
        settings.put("datasource.url", database);
        settings.put("datasource.username", "root");
        settings.put("queue.horizon", "10s");
        settings.put("delivery.default-channel", "rocketmq");
        settings.put("rocketmq.namesrv-addr", SharedServers.rocketMq().nameServerAddress());
        return settings;
    }

    private static void pushAll(DelayClient client, long dueMs) {
        List<Map<String, Object>> small = IntStream.range(0, SMALL)
                .mapToObj(i -> message("small-" + i, "small", dueMs))
                .toList();
        for (int from = 0; from < SMALL; from += SMALL / 2) {
            Answer answer = client.pushBatch(small.subList(from, from + SMALL / 2));
            assertThat(answer.text()).contains("\"success\":true").doesNotContain("\"success\":false");
        }
        for (int from = 0; from < LARGE; from += AT_ONCE) {
            List<CompletableFuture<Answer>> pushed = IntStream.range(from, from + AT_ONCE)
                    .mapToObj(i -> client.pushAsync(message("large-" + i, BODY, dueMs + 1_000)))
                    .toList();
            pushed.forEach(answer -> assertThat(answer.join().status()).isEqualTo(200));
        }
    }

    private static Map<String, Object> message(String id, String body, long dueMs) {
        return Map.of("id", id, "topic", "small-heap", "body", body, "triggerAt", dueMs);
    }

    /** Small messages with the ids of large ones: all of these are looked at. */
    private static void conflict(DelayClient client) {
        List<Map<String, Object>> batch = IntStream.range(0, CONFLICTS)
                .mapToObj(i -> message("large-" + i, "small", 4_000_000_000_000L))
                .toList();
        Answer answer = client.pushBatch(batch);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(JSON.parseObject(answer.text()).getJSONArray("data"))
                .hasSize(CONFLICTS)
                .allSatisfy(item -> assertThat(item.toString()).contains("ID_CONFLICT"));
    }

    private static void unreadAnswers(DelayServer server) throws IOException {
        List<Socket> deaf = new ArrayList<>();
        try {
            for (int i = 0; i < UNREAD; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(4096);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
                deaf.add(socket);
                String request = "GET /job/large-" + i % LARGE + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
                socket.getOutputStream().write(request.repeat(3).getBytes(US_ASCII));
            }
            await().atMost(PATIENCE).until(() -> server.client().job("large-1").status() == 429);
            assertThat(server.client()
                            .push(message("beside", "small", 4_000_000_000_000L))
                            .status())
                    .isEqualTo(200);
        } finally {
            for (Socket socket : deaf) {
                socket.close();
            }
        }
    }

    private static long rows(String database, String where) {
        return FlowAudit.of(database).rows(where);
    }
}
