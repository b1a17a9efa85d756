package io.mykit.delay.test.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two packaged servers share the rate of one token. The clock of Redis measures it, so the speed of the machine does not matter. */
@Tag("long")
class LimitIT {
    private static final String ADMIN = "admin-token-0123456789";
    private static final int RATE = 60;
    private static final Duration MEASURED = Duration.ofSeconds(8);
    private static final int TRIES = 5;
    private static final int PRODUCERS = 16;
    /** Fewer refusals in a span show that the producers, and not the limit, were the bound. */
    private static final int DEMANDING = 50;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path dir;

    private static final List<DelayServer> NODES = new ArrayList<>();

    @BeforeAll
    static void start() {
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("redis.uri", SharedServers.redis().uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("limits"));
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "console");
        settings.put("queue.name", "limits-" + System.nanoTime());
        settings.put("http.admin-token", ADMIN);
        settings.put("http.drain", "0s");
        for (String name : List.of("limits-one", "limits-two")) {
            NODES.add(DelayServer.start(name, dir.resolve(name), settings));
        }
    }

    @AfterAll
    static void stop() {
        NODES.forEach(DelayServer::close);
    }

    @Test
    void twoNodesShareTheRateOfATokenWithinFivePercent() throws InterruptedException {
        Answer made = post(
                NODES.get(0),
                "/tokens",
                "{\"namespace\":\"*\",\"roles\":[\"producer\"],\"pushRate\":" + RATE + "}",
                ADMIN);
        String token = made.dataObject().getString("token");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> NODES.stream().allMatch(node -> push(node, token).status() != 401));
        AtomicInteger accepted = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        AtomicBoolean ends = new AtomicBoolean();
        List<Thread> producers = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            DelayServer node = NODES.get(i % 2);
            Thread producer = new Thread(() -> produce(node, token, accepted, refused, ends));
            producers.add(producer);
            producer.start();
        }
        try {
            // The items of a second that a rate holds after a rest are spent first.
            LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
            assertShared(accepted, refused);
        } finally {
            ends.set(true);
            for (Thread producer : producers) {
                producer.join();
            }
        }
        assertThat(NODES.stream().mapToDouble(LimitIT::refused)).allMatch(count -> count > 0);
    }

    /**
     * As much as the rate in one of some spans: a machine that stands still for a second pushes less, or the items of that second at the begin
     * of the next span. Never more than that.
     */
    private static void assertShared(AtomicInteger accepted, AtomicInteger refused) {
        List<String> spans = new ArrayList<>();
        boolean wasDemanding = false;
        for (int i = 0; i < TRIES; i++) {
            long earliest = redisMicros();
            int before = accepted.get();
            int refusedBefore = refused.get();
            long latest = redisMicros();
            LockSupport.parkNanos(MEASURED.toNanos());
            long from = redisMicros();
            int pushed = accepted.get() - before;
            int refusals = refused.get() - refusedBefore;
            long to = redisMicros();
            double most = RATE * (to - earliest) / 1e6;
            double least = RATE * (from - latest) / 1e6;
            spans.add(pushed + " of " + least + " to " + most + ", refused " + refusals);
            assertThat((double) pushed).as("%s", spans).isLessThan(1.05 * most + RATE);
            if (pushed > 0.95 * least && pushed < 1.05 * most) {
                return;
            }
            wasDemanding |= refusals > DEMANDING;
        }
        assumeThat(wasDemanding)
                .as("this machine does not push as much as the limit allows: %s", spans)
                .isTrue();
        assertThat(spans).as("none was right").isEmpty();
    }

    private static void produce(
            DelayServer node, String token, AtomicInteger accepted, AtomicInteger refused, AtomicBoolean ends) {
        while (!ends.get()) {
            Answer answer = push(node, token);
            if (answer.status() == 200) {
                accepted.incrementAndGet();
            } else {
                assertThat(answer.error()).isEqualTo("RATE_LIMITED");
                refused.incrementAndGet();
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
        }
    }

    private static double refused(DelayServer node) {
        return new RawHttp(node.port())
                .send("GET", "/metrics", new byte[0], "authorization", "Bearer " + ADMIN)
                .metric("mykit_delay_rate_limited_total{kind=\"push\"}");
    }

    private static long redisMicros() {
        List<?> time = (List<?>) SharedServers.redis().command("TIME");
        return number(time.get(0)) * 1_000_000 + number(time.get(1));
    }

    private static long number(Object word) {
        return Long.parseLong(
                word instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : word.toString());
    }

    private static Answer push(DelayServer node, String token) {
        return post(node, "/push", "{\"topic\":\"t\",\"delay\":600000}", token);
    }

    private static Answer post(DelayServer node, String path, String body, String token) {
        return new RawHttp(node.port())
                .send(
                        "POST",
                        path,
                        body.getBytes(StandardCharsets.UTF_8),
                        "content-type",
                        "application/json",
                        "authorization",
                        "Bearer " + token);
    }
}
