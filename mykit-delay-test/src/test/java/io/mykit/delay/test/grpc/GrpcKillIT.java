package io.mykit.delay.test.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.v1.PulledMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Pushes by gRPC while a server is killed, and while one of two nodes stops: each push that was answered is delivered once. */
@Tag("nightly")
class GrpcKillIT {
    private static final int PRODUCERS = 8;
    private static final int ANSWERED = 400;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "orders";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final Set<String> tried = ConcurrentHashMap.newKeySet();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();

    @Test
    void aKilledServerHasEachPushThatItAnswered() {
        int port = FreePorts.next();
        Map<String, String> settings = Map.of("grpc-api.port", "" + port, "delivery.default-channel", "pull");
        try (DelayServer server = DelayServer.start("killed", dir, settings);
                GrpcClient client = new GrpcClient(port)) {
            List<CompletableFuture<Void>> producers = produce(() -> client);
            await().atMost(PATIENCE).until(() -> answered.size() >= ANSWERED);
            server.kill();
            producers.forEach(CompletableFuture::join);
            server.restart();
            assertDelivered(client);
        }
    }

    @Test
    void aNodeThatStopsLosesNothingAndTheOtherGoesOn() {
        int first = FreePorts.next();
        int second = FreePorts.next();
        try (RedisServer redis = RedisServer.start(dir.resolve("redis"), "grpc")) {
            Map<String, String> settings = new HashMap<>();
            settings.put("mode", "master-standby");
            settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
            settings.put("redis.uri", redis.uri());
            settings.put("datasource.url", SharedServers.mysql().freshDatabase("grpc_api"));
            settings.put("datasource.username", "root");
            settings.put("delivery.default-channel", "pull");
            settings.put("queue.name", "grpc-" + System.nanoTime());
            settings.put("http.drain", "1s");
            try (DelayServer one = DelayServer.start("one", dir.resolve("one"), with(settings, first));
                    DelayServer two = DelayServer.start("two", dir.resolve("two"), with(settings, second));
                    GrpcClient toOne = new GrpcClient(first);
                    GrpcClient toTwo = new GrpcClient(second)) {
                await().atMost(PATIENCE).until(() -> one.isLeader() != two.isLeader());
                toOne.push(TOPIC, "by-one");
                toTwo.push(TOPIC, "by-two");
                answered.addAll(Set.of("by-one", "by-two"));
                tried.addAll(answered);
                // A pull that waits at the node that will stop ends without an error.
                CompletableFuture<List<PulledMessage>> waits =
                        CompletableFuture.supplyAsync(() -> toOne.pull("nothing", 1, 50_000));
                List<CompletableFuture<Void>> producers = produce(() -> toOne);
                await().atMost(PATIENCE).until(() -> answered.size() >= ANSWERED);
                assertThat(one.stop()).isZero();
                assertThat(waits.join()).isEmpty();
                producers.forEach(CompletableFuture::join);
                assertThat(one.log()).doesNotContain("\tat ");
                await().atMost(PATIENCE).until(two::isLeader);
                assertDelivered(toTwo);
            }
        }
    }

    private static Map<String, String> with(Map<String, String> settings, int port) {
        Map<String, String> own = new HashMap<>(settings);
        own.put("grpc-api.port", "" + port);
        return own;
    }

    /** Each producer goes on until a push fails. */
    private List<CompletableFuture<Void>> produce(Supplier<GrpcClient> client) {
        return IntStream.range(0, PRODUCERS)
                .mapToObj(producer -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; ; i++) {
                                String id = producer + "-" + i;
                                tried.add(id);
                                try {
                                    client.get().push(TOPIC, id);
                                } catch (StatusRuntimeException ended) {
                                    assertThat(ended.getStatus().getCode().name())
                                            .isEqualTo("UNAVAILABLE");
                                    return;
                                }
                                answered.add(id);
                            }
                        },
                        task -> Threads.daemon("producer", task).start()))
                .toList();
    }

    private void assertDelivered(GrpcClient client) {
        List<String> delivered = new ArrayList<>();
        await().atMost(PATIENCE).until(() -> {
            List<PulledMessage> pulled = client.pull(TOPIC, 100, 1000);
            if (!pulled.isEmpty()) {
                client.ack(pulled);
                pulled.forEach(message -> delivered.add(message.getId()));
            }
            return delivered.containsAll(answered) && pulled.isEmpty();
        });
        assertThat(delivered).doesNotHaveDuplicates();
        assertThat(tried).containsAll(delivered);
    }
}
