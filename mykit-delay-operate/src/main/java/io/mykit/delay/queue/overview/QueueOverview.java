package io.mykit.delay.queue.overview;

import io.mykit.delay.queue.bucket.NodeNotes;
import io.mykit.delay.queue.series.Sampler;
import io.mykit.delay.queue.series.Series;
import io.mykit.delay.queue.series.TopicMinutes;
import io.mykit.delay.queue.series.TopicPoints;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes the answers from memory, from the notes of the nodes, and from the counts. One reader at a time asks the stores. Thread-safe. */
final class QueueOverview implements Overviews {
    private static final long NOTES_MS = 4_000;
    private static final long SOON_MS = 500;
    private static final int MAX_ENDED = 20;
    /** What is wrong with the others is among the warnings. */
    private static final Set<String> SHOWN = Set.of(Parts.STORE, Parts.INDEX, Parts.REGISTRY, "loops");

    private final OwnNode own;
    private final Nodes nodes;
    private final ClusterWarnings warnings = new ClusterWarnings();
    private final Counts counts;
    private final Series series;
    private final TopicPoints topics;
    private final ActingCalls calls;
    private final NodeNotes notes;
    private final InstantSource clock;
    private final Kept overview = new Kept(this::makeOverview, 1_000);
    private final Kept seriesRead = new Kept(this::readSeries, Sampler.STEP_MS);

    QueueOverview(
            OwnNode own,
            Nodes nodes,
            Counts counts,
            Series series,
            TopicPoints topics,
            ActingCalls calls,
            NodeNotes notes,
            InstantSource clock) {
        this.own = own;
        this.nodes = nodes;
        this.counts = counts;
        this.series = series;
        this.topics = topics;
        this.calls = calls;
        this.notes = notes;
        this.clock = clock;
    }

    @Override
    public Map<String, Object> overview() {
        return overview.get(clock.millis());
    }

    private Map<String, Object> makeOverview() {
        Nodes.Seen seen = nodes.see(NOTES_MS);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("asOf", clock.millis());
        data.put("status", status());
        data.put("queue", own.identity().queue());
        data.put("answeredBy", own.identity().node());
        data.put(
                "leader",
                seen.leader()
                        .map(QueueOverview::leader)
                        .or(this::leaderOfRegistry)
                        .orElse(null));
        data.put("nodes", seen.all().stream().map(NodeNote::summary).toList());
        data.put("nodesComplete", seen.complete());
        data.put("parts", parts(seen.leader()));
        data.put("counts", counts.get(clock.millis()));
        data.put("work", work(seen));
        data.put("warnings", warnings.of(seen));
        return data;
    }

    private static Map<String, Object> leader(NodeNote note) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", note.node());
        fields.put("epoch", note.epoch());
        fields.put("since", note.roleSinceMs());
        return fields;
    }

    /** While the notes cannot be read, the registry still tells the name. */
    private Optional<Map<String, Object>> leaderOfRegistry() {
        return own.parts()
                .find(Parts.REGISTRY)
                .filter(PartState::isUp)
                .map(state -> state.detail("leader"))
                .filter(name -> !name.toString().isEmpty()
                        && !name.equals(own.identity().node()))
                .map(name -> {
                    Map<String, Object> fields = new LinkedHashMap<>();
                    fields.put("node", name);
                    fields.put("epoch", null);
                    fields.put("since", null);
                    return fields;
                });
    }

    private String status() {
        if (!own.parts().isUp(Parts.STORE)) {
            return "DOWN";
        }
        return own.parts().down().isEmpty() ? "UP" : "DEGRADED";
    }

    /** The parts of this node. The channels are those of the leader, which delivers. */
    private Map<String, Object> parts(Optional<NodeNote> leader) {
        Map<String, Object> fields = new LinkedHashMap<>();
        own.parts().all().forEach((name, state) -> {
            if (SHOWN.contains(name)) {
                Map<String, Object> part = state.fields();
                if (name.equals(Parts.INDEX) && !state.isUp()) {
                    part.put("word", state.indexWord().name());
                }
                fields.put(name, part);
            }
        });
        fields.put(Parts.CHANNELS, leader.map(NodeNote::channels).orElseGet(() -> own.note()
                .channels()));
        return fields;
    }

    private static List<Map<String, Object>> work(Nodes.Seen seen) {
        List<Map<String, Object>> work = new ArrayList<>();
        seen.all().forEach(note -> work.addAll(note.work()));
        return work;
    }

    @Override
    public Map<String, Object> series(long sinceMs) {
        Map<String, Object> read = seriesRead.get(clock.millis());
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("asOf", clock.millis());
        data.put("step", Sampler.STEP_MS);
        data.putAll(read);
        data.put("points", series.points(sinceMs));
        return data;
    }

    @Override
    public Map<String, Object> series(String topic, long sinceMs) {
        Nodes.Seen seen = nodes.see(NOTES_MS);
        long now = clock.millis();
        Set<String> known = seen.complete() ? seen.known() : Set.of();
        TopicPoints.Found found = topics.find(topic, known, sinceMs, now);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("asOf", now);
        data.put("step", TopicMinutes.STEP_MS);
        data.put("topic", topic);
        data.putAll(nodes(seen, found.read()));
        data.put("complete", found.complete());
        data.put("points", found.points());
        return data;
    }

    private Map<String, Object> nodes(Nodes.Seen seen, boolean complete) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("nodes", complete ? seen.names() : List.of(own.identity().node()));
        data.put("nodesComplete", complete);
        return data;
    }

    private Map<String, Object> readSeries() {
        Nodes.Seen seen = nodes.see(NOTES_MS);
        boolean complete = seen.complete();
        if (complete) {
            complete = series.refresh(seen.known(), clock.millis());
        } else {
            series.forgetOthers();
        }
        return nodes(seen, complete);
    }

    @Override
    public Map<String, Object> operations() {
        Nodes.Seen seen = nodes.see(SOON_MS);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("asOf", clock.millis());
        data.put("answeredBy", own.identity().node());
        data.put("nodesComplete", seen.complete());
        data.put("work", work(seen));
        data.put("ended", ended(seen));
        data.put("recent", calls.last(seen.complete()));
        return data;
    }

    @Override
    public String workId(long number) {
        return own.workId(number);
    }

    @Override
    public void called(ActingCall call) {
        calls.add(call);
    }

    /** The work that ended on any node, the last one first. */
    private static List<Map<String, Object>> ended(Nodes.Seen seen) {
        return seen.all().stream()
                .flatMap(note -> note.ended().stream())
                .sorted(Comparator.comparingLong(QueueOverview::time).reversed())
                .limit(MAX_ENDED)
                .toList();
    }

    private static long time(Map<String, Object> ended) {
        return ended.get("time") instanceof Number time ? time.longValue() : 0;
    }

    @Override
    public StopResult stop(String id) {
        for (Map<String, Object> work : work(nodes.see(SOON_MS))) {
            if (id.equals(work.get("id"))) {
                return Boolean.TRUE.equals(work.get("stoppable")) ? ask(id) : StopResult.NOT_STOPPABLE;
            }
        }
        return StopResult.UNKNOWN;
    }

    private StopResult ask(String id) {
        WorkId work = WorkId.of(id).orElseThrow();
        if (work.node().equals(own.identity().node())) {
            return own.stop(work.number()) ? StopResult.STOPPING : StopResult.UNKNOWN;
        }
        notes.stop(work.node(), id);
        return StopResult.STOPPING;
    }
}
