package io.mykit.delay.grape.route;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.access.KnownTokens;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.access.Traffic;
import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.limit.NamespaceBounds;
import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.grape.tube.Tubes;
import io.mykit.delay.ports.call.Later;
import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.queue.DelayQueue;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.census.ScrapeWatch;
import io.mykit.delay.queue.memory.MemoryBuckets;
import io.mykit.delay.queue.memory.MemoryMessageIndex;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.operate.NodeView;
import io.mykit.delay.queue.overview.NodeIdentity;
import io.mykit.delay.queue.overview.NodeRules;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The calls of the port over a queue in memory, without sockets. For one thread. */
final class MemoryPort implements AutoCloseable {
    final ClusterClock clock = new ClusterClock();
    final MemoryMessageStore store = new MemoryMessageStore(clock);
    final DelayQueue queue;
    /** The token of the next call; empty = none. */
    String token = "";

    /** What the next call is allowed. */
    Permit permit = Permit.GO;

    /** What runs when the client of the last call hangs up. */
    Runnable hangUp = () -> {};

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Workers workers = new Workers("test", 4, 100);
    private final Later later = new Later("test-timer");
    private final GrapeCalls calls;

    MemoryPort() {
        this(KnownTokens.NONE);
    }

    MemoryPort(KnownTokens tokens) {
        DelayConfig config = ConfigLoader.load(Map.of(
                "mykit.delay.delivery.default-channel", "pull",
                "mykit.delay.delivery.topics.\"grape/*\".channel", "pull"));
        MemoryMessageIndex index = new MemoryMessageIndex(new MemoryBuckets(1), clock);
        queue = DelayQueue.builder(config, store, index, clock).meters(meters).build();
        queue.start();
        awaitWhole(index);
        NodeIdentity identity = new NodeIdentity("n", "q", "test", "", clock.millis(), true, NodeRules.of(Map.of()));
        NodeView view = new NodeView(queue, identity, new ScrapeWatch(), meters);
        Engine engine = new Engine(
                queue.producers(),
                queue.consumers(),
                queue.operators(),
                view.topics(),
                Namespaces.NONE,
                clock,
                workers,
                later,
                new Limits());
        Gate gate = new Gate(false, "grape/", new Tokens(config.http(), tokens), new TokenMeters(meters));
        calls = new GrapeCalls(
                engine,
                gate,
                new Tubes(engine, "grape/"),
                new AuditTrail(store.audit(), clock),
                new Traffic(System::nanoTime));
    }

    /** Until the leader has claimed the bucket and restored it, a job that is due waits for a scan. */
    private static void awaitWhole(MemoryMessageIndex index) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(Duration.ofSeconds(20))
                .until(
                        () -> index
                                .holds()
                                .handOut(List.of(0), "none", new Portion(1, 1, true), Duration.ofSeconds(1), "receipt")
                                .stream()
                                .noneMatch(Handout::suspect));
    }

    /** The answer to a call such as {@code GET /api/tube/list}, as status and body. */
    String ask(String line, String body) {
        Reply reply = reply(line, body);
        return reply.status() + " " + new String(reply.body(), StandardCharsets.UTF_8);
    }

    String ask(String line) {
        return ask(line, "");
    }

    Reply reply(String line, String body) {
        String[] parts = line.split(" ", -1);
        String[] target = parts[1].split("\\?", -1);
        Request request = new Request(
                parts[0],
                List.of(target[0].substring(1).split("/", -1)),
                target[0],
                Query.of(target.length > 1 ? target[1] : null),
                token.isEmpty() ? List.of() : List.of(Map.entry("authorization", "Bearer " + token)),
                body.getBytes(StandardCharsets.UTF_8),
                false,
                "127.0.0.1",
                then -> hangUp = then);
        try {
            return calls.answer(request).join();
        } catch (RuntimeException failure) {
            return calls.failed(failure);
        }
    }

    @Override
    public void close() {
        queue.close();
        later.close();
        workers.close(Duration.ZERO);
    }

    private final class Limits implements CallLimits {
        @Override
        public CompletableFuture<Permit> ask(Principal caller, Kind kind, int items) {
            return CompletableFuture.completedFuture(permit);
        }

        @Override
        public void passed(Principal caller, Kind kind, int items) {}

        @Override
        public NamespaceBounds bounds(String namespace) {
            return NamespaceBounds.NONE;
        }
    }
}
