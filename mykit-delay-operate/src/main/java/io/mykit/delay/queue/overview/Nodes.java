package io.mykit.delay.queue.overview;

import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.NodeNotes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads the notes of all nodes while somebody looks. Thread-safe; blocks. */
final class Nodes {
    /** A node whose note is older does not lead, as far as others can see. */
    private static final long LOST_MS = Duration.ofSeconds(20).toMillis();
    /** A node whose note is older has gone. */
    private static final long GONE_MS = Duration.ofMinutes(1).toMillis();

    private final OwnNode own;
    private final NodeNotes notes;
    private final InstantSource clock;
    /** Guarded by this. */
    private Map<String, NodeNote> others = Map.of();
    /** The names of all nodes of the last hour. Guarded by this. */
    private Set<String> known = Set.of();
    /** Guarded by this. */
    private boolean complete;
    /** Guarded by this. */
    private long readAtMs = Long.MIN_VALUE;

    Nodes(OwnNode own, NodeNotes notes, InstantSource clock) {
        this.own = own;
        this.notes = notes;
        this.clock = clock;
    }

    /**
     * All nodes. If Redis cannot be asked, this node alone.
     *
     * @param maxAgeMs notes that were read within this time are not read again
     */
    synchronized Seen see(long maxAgeMs) {
        long now = clock.millis();
        // A clock that went back must not keep old notes for ever.
        boolean isOld = now - readAtMs > maxAgeMs || now < readAtMs || readAtMs == Long.MIN_VALUE;
        if (isOld || !own.parts().isUp(Parts.INDEX)) {
            read();
            readAtMs = now;
        }
        Map<String, NodeNote> all = new TreeMap<>(others);
        all.values().removeIf(note -> now - note.seenAtMs() > GONE_MS);
        NodeNote mine = own.note();
        all.put(mine.node(), mine);
        Set<String> names = new TreeSet<>(known);
        names.addAll(all.keySet());
        return new Seen(List.copyOf(all.values()), names, complete, mine, now);
    }

    private void read() {
        others = Map.of();
        known = Set.of();
        complete = false;
        if (!own.parts().isUp(Parts.INDEX)) {
            return;
        }
        try {
            Map<String, NodeNote> read = new TreeMap<>();
            Map<String, String> texts = notes.all();
            texts.values().forEach(text -> NodeNote.read(text).ifPresent(note -> read.put(note.node(), note)));
            others = read;
            known = Set.copyOf(texts.keySet());
            complete = true;
        } catch (IndexUnavailableException e) {
            // The answer says that it is not complete.
        }
    }

    /**
     * What was seen.
     *
     * @param known the names of all nodes of the last hour
     * @param complete whether the notes of the other nodes could be read
     */
    record Seen(List<NodeNote> all, Set<String> known, boolean complete, NodeNote own, long nowMs) {
        /** The node that leads, by its own word. */
        Optional<NodeNote> leader() {
            return leaders().stream().max(Comparator.comparingLong(NodeNote::epoch));
        }

        List<NodeNote> leaders() {
            return all.stream()
                    .filter(note -> note.leads() && nowMs - note.seenAtMs() < LOST_MS)
                    .toList();
        }

        List<String> names() {
            return all.stream().map(NodeNote::node).toList();
        }
    }
}
