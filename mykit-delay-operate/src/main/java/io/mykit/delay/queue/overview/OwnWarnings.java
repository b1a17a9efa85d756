package io.mykit.delay.queue.overview;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.state.FailingTopics;
import io.mykit.delay.queue.state.TopicDifferences;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The warnings of this node, from the last look at its parts. Reads memory only. Thread-safe. */
final class OwnWarnings {
    private static final String BEHIND = Family.HOUSEKEEPING_BEHIND.meter();
    private static final double BEHIND_SECONDS = Duration.ofDays(1).toSeconds();
    private static final int MAX_TOPICS = 10;

    private final NodeIdentity identity;
    private final Parts parts;
    private final MessageIndex index;
    private final FailingTopics backingOff;
    private final TopicDifferences differing;
    private final MeterRegistry meters;
    private final InstantSource clock;
    /** The agreed number of buckets; 0 = not known. */
    private volatile int buckets;

    OwnWarnings(
            NodeIdentity identity,
            Parts parts,
            MessageIndex index,
            FailingTopics backingOff,
            TopicDifferences differing,
            MeterRegistry meters,
            InstantSource clock) {
        this.identity = identity;
        this.parts = parts;
        this.index = index;
        this.backingOff = backingOff;
        this.differing = differing;
        this.meters = meters;
        this.clock = clock;
    }

    /** Reads the number of buckets that the nodes use. May block. */
    void look() {
        buckets = index.holds().buckets();
    }

    /**
     * The worst come first.
     *
     * @param leads whether this node leads, so that its topics wait for other nodes to agree
     */
    List<Warning> all(boolean leads) {
        List<Warning> all = new ArrayList<>();
        parts.all().forEach((name, state) -> {
            if (!state.isUp()) {
                ofPart(name, state, all);
            }
        });
        evicting(all);
        for (FailingTopics.Topic topic : backingOff.longest(MAX_TOPICS, clock.millis())) {
            Map<String, Object> args = Map.of("topic", topic.topic(), "tries", topic.tries());
            all.add(new Warning(WarningCode.TOPIC_BACKS_OFF, topic.sinceMs(), args, topic.reason()));
        }
        if (leads) {
            differing.names().stream()
                    .limit(MAX_TOPICS)
                    .map(OwnWarnings::ofDifference)
                    .forEach(all::add);
        }
        Gauge behind = meters.find(BEHIND).gauge();
        if (behind != null && behind.value() > BEHIND_SECONDS) {
            all.add(new Warning(WarningCode.RETENTION_BEHIND, 0, Map.of("seconds", Math.round(behind.value())), ""));
        }
        if (buckets != 0 && buckets != index.buckets()) {
            Map<String, Object> args = Map.of("now", buckets, "configured", index.buckets());
            all.add(new Warning(WarningCode.BUCKETS_CHANGING, 0, args, ""));
        }
        if (identity.isOpen()) {
            all.add(new Warning(WarningCode.NO_TOKEN_OPEN, identity.startedAtMs(), Map.of(), ""));
        }
        all.sort(Comparator.comparing(warning -> warning.code().severity()));
        return all;
    }

    private void ofPart(String name, PartState state, List<Warning> all) {
        String node = identity.node();
        String reason = state.reason();
        switch (name) {
            case Parts.STORE -> all.add(of(WarningCode.STORE_DOWN, state, Map.of("node", node), reason));
            case Parts.INDEX -> all.add(of(state.indexWord(), state, Map.of("node", node), reason));
            case Parts.REGISTRY -> all.add(of(WarningCode.REGISTRY_DOWN, state, Map.of("node", node), reason));
            case Parts.CHANNELS ->
                parts.channels().forEach((channel, own) -> {
                    if (!own.isUp()) {
                        Map<String, Object> args = Map.of("node", node, "channel", channel);
                        all.add(of(WarningCode.CHANNEL_DOWN, own, args, own.reason()));
                    }
                });
            case "clock" -> all.add(of(WarningCode.CLOCK_JUMP, state, clockArgs(state), reason));
            case "loops" ->
                all.add(of(WarningCode.LOOP_STALLED, state, Map.of("node", node, "loops", stalled(state)), ""));
            case "pull" -> unread(state, all);
            default -> {
                // Further parts have no warning of their own; the list of parts shows them.
            }
        }
    }

    private static Warning of(WarningCode code, PartState state, Map<String, Object> args, String text) {
        return new Warning(code, state.sinceMs(), args, text);
    }

    private static Warning ofDifference(TopicDifferences.Difference difference) {
        Map<String, Object> args = Map.of(
                "topic", difference.topic(),
                "node", difference.node(),
                "channel", difference.channel(),
                "here", difference.here());
        return new Warning(WarningCode.TOPIC_DIFFERS, 0, args, difference.reason());
    }

    private static Map<String, Object> clockArgs(PartState state) {
        Map<String, Object> args = new TreeMap<>();
        for (String name : List.of("jumps", "lastJumpMs", "behindMs")) {
            if (state.detail(name) != null) {
                args.put(name, state.detail(name));
            }
        }
        return args;
    }

    private static String stalled(PartState state) {
        List<String> stalled = new ArrayList<>();
        state.health().details().forEach((loop, detail) -> {
            if (detail instanceof Map<?, ?> details && details.get("lastTickMs") instanceof Long ms) {
                if (ms >= Duration.ofSeconds(30).toMillis() || Boolean.FALSE.equals(details.get("alive"))) {
                    stalled.add(loop);
                }
            }
        });
        return String.join(", ", stalled);
    }

    private static void unread(PartState state, List<Warning> all) {
        if (state.detail("ready") instanceof Map<?, ?> ready) {
            ready.forEach((topic, count) -> {
                if (all.size() < MAX_TOPICS) {
                    all.add(of(
                            WarningCode.PULL_UNREAD,
                            state,
                            Map.of("topic", topic.toString(), "ready", count),
                            state.reason()));
                }
            });
        }
    }

    private void evicting(List<Warning> all) {
        parts.find(Parts.INDEX).ifPresent(state -> {
            if (state.detail(MessageIndex.EVICTING) != null) {
                Map<String, Object> args =
                        Map.of("servers", state.detail(MessageIndex.EVICTING).toString());
                all.add(new Warning(WarningCode.EVICTION_POLICY, 0, args, ""));
            }
        });
    }
}
