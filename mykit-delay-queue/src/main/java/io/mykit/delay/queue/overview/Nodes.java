package io.mykit.delay.queue.overview;

import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.NodeNotes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads the notes of all nodes while somebody looks. Thread-safe; blocks. */
final class Nodes {
    /** A node whose note is older does not lead, as far as others can see. */
    private static final long LOST_MS = Duration.ofSeconds(20).toMillis();

    private final OwnNode own;
    private final NodeNotes notes;
    private final InstantSource clock;
    /** Guarded by this. */
    private Map<String, NodeNote> others = Map.of();
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
        NodeNote mine = own.note();
        all.put(mine.node(), mine);
        return new Seen(List.copyOf(all.values()), complete, mine, now);
    }

    private void read() {
        others = Map.of();
        complete = false;
        if (!own.parts().isUp(Parts.INDEX)) {
            return;
        }
        try {
            Map<String, NodeNote> read = new TreeMap<>();
            notes.all().values().forEach(text -> NodeNote.read(text).ifPresent(note -> read.put(note.node(), note)));
            others = read;
            complete = true;
        } catch (IndexUnavailableException e) {
            // The answer says that it is not complete.
        }
    }

    /**
     * What was seen.
     *
     * @param complete whether the notes of the other nodes could be read
     */
    record Seen(List<NodeNote> all, boolean complete, NodeNote own, long nowMs) {
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
