package io.mykit.delay.queue.overview;

import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.operator.Works;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The note of this node, made anew for each reader. {@link #look} belongs to one thread; any thread may read. */
final class OwnNode {
    private static final int MAX_WARNINGS = 20;
    private static final int MAX_ENDED = 5;
    private static final int MAX_TEXT = 200;

    private final NodeIdentity identity;
    private final LeaderElector elector;
    private final Works board;
    private final Parts parts;
    private final OwnWarnings warnings;
    private final Supplier<Map<String, String>> channels;
    private final InstantSource clock;
    private volatile Standing standing;

    /** @param channels the channel of each name that the configuration or an operator has */
    OwnNode(
            NodeIdentity identity,
            LeaderElector elector,
            Works board,
            Parts parts,
            OwnWarnings warnings,
            Supplier<Map<String, String>> channels,
            InstantSource clock) {
        this.identity = identity;
        this.elector = elector;
        this.board = board;
        this.parts = parts;
        this.warnings = warnings;
        this.channels = channels;
        this.clock = clock;
        this.standing = new Standing(elector.role(), elector.epoch(), identity.startedAtMs());
    }

    NodeIdentity identity() {
        return identity;
    }

    Parts parts() {
        return parts;
    }

    boolean leads() {
        return elector.role() == LeaderElector.Role.LEADER;
    }

    /** Notices a change of the role, and of the parts if asked for. */
    void look(boolean partsToo) {
        Standing now = new Standing(elector.role(), elector.epoch(), clock.millis());
        if (now.role() != standing.role() || now.epoch() != standing.epoch()) {
            standing = now;
        }
        if (partsToo) {
            parts.look(clock.millis());
        }
    }

    NodeNote note() {
        Standing current = standing;
        Map<String, Object> opened = new LinkedHashMap<>();
        parts.channels().forEach((name, state) -> opened.put(name, state.fields()));
        return new NodeNote(
                identity.node(),
                current.role().name(),
                current.epoch(),
                current.sinceMs(),
                identity.version(),
                identity.startedAtMs(),
                clock.millis(),
                identity.url(),
                parts.down(),
                opened,
                work(),
                ended(),
                warnings.all(leads()).stream()
                        .limit(MAX_WARNINGS)
                        .map(Warning::fields)
                        .toList(),
                Optional.of(identity.rules().naming(channels.get())));
    }

    /** The id of work on this node. */
    String workId(long number) {
        return identity.node() + "-" + number;
    }

    /** The work that runs on this node. */
    List<Map<String, Object>> work() {
        return board.running().stream()
                .map(running -> {
                    Map<String, Object> fields = new LinkedHashMap<>();
                    fields.put("id", workId(running.number()));
                    fields.put("kind", running.kind());
                    if (running.stoppable()) {
                        fields.put("what", cut(running.title()));
                        fields.put("dryRun", running.dryRun());
                    }
                    fields.put("node", identity.node());
                    fields.put("stoppable", running.stoppable());
                    fields.putAll(running.details());
                    return fields;
                })
                .toList();
    }

    /** The work of operators that ended on this node, the last one first. */
    List<Map<String, Object>> ended() {
        long now = clock.millis();
        long nanos = System.nanoTime();
        return board.ended().stream()
                .limit(MAX_ENDED)
                .map(ended -> {
                    Map<String, Object> fields = new LinkedHashMap<>();
                    fields.put("id", workId(ended.number()));
                    fields.put("kind", ended.kind());
                    fields.put("what", cut(ended.title()));
                    fields.put("dryRun", ended.dryRun());
                    fields.put("node", identity.node());
                    fields.put(
                            "time",
                            now - Duration.ofNanos(nanos - ended.endedNanos()).toMillis());
                    fields.put("outcome", ended.outcome().name());
                    fields.putAll(ended.details());
                    return fields;
                })
                .toList();
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    /** Stops work of an operator on this node; false if it is not running. */
    boolean stop(long number) {
        return board.stop(number);
    }

    /** The role with its begin. */
    private record Standing(LeaderElector.Role role, long epoch, long sinceMs) {}
}
