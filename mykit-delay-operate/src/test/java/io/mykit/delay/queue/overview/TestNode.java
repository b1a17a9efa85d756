package io.mykit.delay.queue.overview;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.dispatch.BackingOff;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import io.mykit.delay.queue.series.LatenessClasses;
import io.mykit.delay.queue.series.Sampler;
import io.mykit.delay.queue.series.Series;
import io.mykit.delay.queue.series.TopicMinutes;
import io.mykit.delay.queue.series.TopicPoints;
import io.mykit.delay.queue.topic.DifferingTopics;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A node of a queue in memory whose loop a test runs by hand. */
final class TestNode implements LeaderElector {
    final MeterRegistry meters = new SimpleMeterRegistry();
    final RecoveryBoard board = new RecoveryBoard(meters);
    final BackingOff backingOff = new BackingOff();
    final Map<String, Health> health = new ConcurrentHashMap<>();
    final TopicMinutes minutes = new TopicMinutes(List.of());
    final DifferingTopics differing;
    final OwnNode own;
    final QueueOverview overview;
    private final NodeLoop loop;
    private Role role = Role.STANDBY;
    private long epoch;
    /** The channels of its configuration and of operators. */
    private volatile Map<String, String> named;

    TestNode(MemoryQueue queue, String name, String version) {
        this(queue, name, version, Map.of());
    }

    /** @param topics the channels of its topics; all others have the channel rocketmq */
    TestNode(MemoryQueue queue, String name, String version, Map<String, String> topics) {
        InstantSource clock = queue.clock();
        NodeIdentity identity =
                new NodeIdentity(name, "q", version, "http://" + name + ":6355", clock.millis(), false, rules(topics));
        named = topics;
        differing = new DifferingTopics(topics, "rocketmq", true);
        MessageIndex index = queue.otherNode();
        List<HealthCheck> checks = new ArrayList<>();
        for (String part : List.of("store", "index", "registry", "channels", "loops", "clock")) {
            health.put(part, Health.up(Map.of()));
            checks.add(check(part));
        }
        health.put("channels", Health.up(Map.of("rocketmq", Map.of("up", true))));
        Parts parts = new Parts(checks);
        OwnWarnings warnings = new OwnWarnings(identity, parts, index, backingOff, differing, meters, clock);
        own = new OwnNode(identity, this, board, parts, warnings, () -> named, clock);
        Sampler sampler = new Sampler(meters, new LatenessClasses());
        Counts counts = new Counts(queue.store(), index, parts);
        ActingCalls calls = new ActingCalls(name, index.notes());
        Nodes nodes = new Nodes(own, index.notes(), clock);
        OtherNodes others = new OtherNodes(nodes, differing, meters);
        loop = new NodeLoop(
                own, warnings, board, sampler, minutes, calls, others, index, () -> counts.near(clock.millis()), clock);
        Series series = new Series(name, sampler, index.notes()::samples);
        TopicPoints points = new TopicPoints(name, minutes, index.notes()::minutes);
        overview = new QueueOverview(own, nodes, counts, series, points, calls, index.notes(), clock);
    }

    private static NodeRules rules(Map<String, String> topics) {
        Map<String, String> values = new TreeMap<>();
        topics.forEach((topic, channel) -> values.put("delivery.topics." + topic + ".channel", channel));
        return NodeRules.of(values);
    }

    private HealthCheck check(String part) {
        return new HealthCheck() {
            @Override
            public String name() {
                return part;
            }

            @Override
            public Health check() {
                return health.get(part);
            }
        };
    }

    void tick() {
        loop.runOnce();
    }

    void leads(long withEpoch) {
        role = Role.LEADER;
        epoch = withEpoch;
    }

    void follows() {
        role = Role.STANDBY;
        epoch = 0;
    }

    @Override
    public Role role() {
        return role;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public Health check() {
        return Health.up(Map.of());
    }

    @Override
    public void start() {}

    @Override
    public void close() {}
}
