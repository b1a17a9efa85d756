package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Four packaged servers lose one part each, for a while and under load: their logs say so, and are not flooded. */
@Tag("nightly")
class OutageLogIT {
    private static final Logger LOG = LoggerFactory.getLogger(OutageLogIT.class);
    private static final Duration OUTAGE = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    /** The lines of all levels: of the outage, and of the leader that gives its work up and begins it again. */
    private static final int MAX_LINES = 16;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path dir;

    private final Queue<Loss> losses = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        together(losses.stream().map(loss -> loss::close));
    }

    @Test
    void saysOnceThatAPartIsAwayAndOnceThatItIsBack() {
        int redis = SharedServers.redis().port();
        int mysql = SharedServers.mysql().port();
        int zooKeeper = SharedServers.zooKeeper().servers().get(0).port();
        int activeMq = SharedServers.activeMq().port();
        together(Stream.of(
                () -> lose(redis, "redis.uri", uri -> uri, "Redis cannot be used", "Redis can be used again after"),
                () -> lose(
                        mysql,
                        "datasource.url",
                        url -> url,
                        "The database \\S+ cannot be used",
                        "The database \\S+ can be used again after"),
                () -> lose(
                        zooKeeper,
                        "registry.server-list",
                        any -> "127.0.0.1:" + zooKeeper,
                        "ZooKeeper cannot be reached",
                        "ZooKeeper can be reached again after"),
                () -> lose(
                        activeMq,
                        "activemq.broker-url",
                        url -> "failover:(" + url + ")",
                        "Topic outage-0 cannot be delivered",
                        "Topic outage-0 is delivered again after")));
        together(losses.stream().map(loss -> loss::endure));
        losses.forEach(Loss::judge);
    }

    /** A server that reaches the part at this port over a wire of its own. */
    private void lose(int port, String key, UnaryOperator<String> address, String away, String back) {
        String part = key.substring(0, key.indexOf('.'));
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", SharedServers.redis().uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("outage_" + part));
        settings.put("datasource.username", DatabaseServer.USER);
        settings.put("datasource.timeout", "2s");
        settings.put("activemq.broker-url", SharedServers.activeMq().url());
        settings.put("queue.name", "outage-" + part);
        settings.put("delivery.retry-max", "2s");
        if (part.equals("registry")) {
            settings.put("mode", "master-standby");
            settings.put("registry.session-timeout", "3s");
        }
        TcpProxy wire = new TcpProxy(port);
        settings.compute(key, (name, own) -> address.apply(own).replace(":" + port, ":" + wire.port()));
        DelayServer server = DelayServer.start(part, dir.resolve(part), settings, "-Xmx256m");
        losses.add(new Loss(part, wire, server, away, back));
        await().atMost(PATIENCE).until(server::isLeader);
    }

    private static void together(Stream<Runnable> all) {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            CompletableFuture.allOf(all.map(one -> CompletableFuture.runAsync(one, threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            threads.shutdownNow();
        }
    }

    private static final class Loss {
        private final String part;
        private final TcpProxy wire;
        private final DelayServer server;
        private final String away;
        private final String back;
        private int cutAt;

        Loss(String part, TcpProxy wire, DelayServer server, String away, String back) {
            this.part = part;
            this.wire = wire;
            this.server = server;
            this.away = away;
            this.back = back;
        }

        void endure() {
            cutAt = server.log().length();
            wire.become(Weather.CUT);
            push();
            wire.become(Weather.FAIR);
            await().atMost(PATIENCE).until(() -> events().stream().anyMatch(event -> says(event, back)));
            await().atMost(PATIENCE).until(server::isLeader);
        }

        private void push() {
            long begin = System.nanoTime();
            for (int n = 0; System.nanoTime() - begin < OUTAGE.toNanos(); n++) {
                server.client().push(Map.of("topic", "outage-" + n % 3, "body", "x"));
                try {
                    TimeUnit.MILLISECONDS.sleep(100);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }

        /** The log since the cut: each line with the stack trace that follows it. */
        private List<String> events() {
            return Stream.of(server.log().substring(cutAt).split("\n(?=\\d{4}-\\d\\d-\\d\\d )", -1))
                    .filter(event -> !event.isBlank())
                    .toList();
        }

        private static boolean says(String event, String pattern) {
            return event.lines().findFirst().orElse("").matches(".*: " + pattern + ".*");
        }

        private static boolean hasTrace(String event) {
            return event.contains("\n\tat ");
        }

        void judge() {
            List<String> events = events();
            long traces = events.stream().filter(Loss::hasTrace).count();
            LOG.info("{} was away for {}: {} lines, {} stack traces", part, OUTAGE, events.size(), traces);
            assertThat(events).as(part).hasSizeLessThanOrEqualTo(MAX_LINES);
            assertThat(traces).as("stack traces of %s in %s", part, events).isLessThanOrEqualTo(1);
            assertThat(events.stream().filter(event -> says(event, away)))
                    .as(part)
                    .hasSizeBetween(1, 2);
            assertThat(events.stream().filter(event -> says(event, back)))
                    .as(part)
                    .hasSizeBetween(1, 2);
        }

        void close() {
            server.close();
            wire.close();
        }
    }
}
