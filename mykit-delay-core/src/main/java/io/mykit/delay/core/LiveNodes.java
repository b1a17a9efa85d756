package io.mykit.delay.core;

import io.mykit.delay.queue.bucket.NodeNotes;
import java.time.Duration;
import java.time.InstantSource;

/** Counts the nodes of the queue by the notes that they write every few seconds. Thread-safe; blocks. */
final class LiveNodes {
    /** A node whose note is older has ended, or does not reach Redis. */
    private static final long LOST_MS = Duration.ofSeconds(20).toMillis();

    private final NodeNotes notes;
    private final InstantSource clock;

    LiveNodes(NodeNotes notes, InstantSource clock) {
        this.notes = notes;
        this.clock = clock;
    }

    /** @throws io.mykit.delay.queue.bucket.IndexUnavailableException if Redis cannot be reached */
    int count() {
        long oldestMs = clock.millis() - LOST_MS;
        return (int) notes.all().values().stream()
                .filter(note -> writtenMs(note) >= oldestMs)
                .count();
    }

    /** A note begins with its time. */
    private static long writtenMs(String note) {
        String time = note.replaceAll("\\D.*", "");
        return time.isEmpty() ? 0 : Long.parseLong(time);
    }
}
