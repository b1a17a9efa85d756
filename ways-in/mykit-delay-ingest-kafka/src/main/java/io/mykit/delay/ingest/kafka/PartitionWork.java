package io.mykit.delay.ingest.kafka;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * The records of one partition that were read and whose offsets cannot be committed yet, in their order. The offset to commit is behind the
 * records that have ended without a gap. For the thread of the loop.
 */
final class PartitionWork {
    private final Deque<Entry> entries = new ArrayDeque<>();
    private Optional<OffsetAndMetadata> position = Optional.empty();
    private long committed = -1;
    /** The last record of each id of a producer, as long as it is among the entries. */
    private final Map<String, Entry> lastOfId = new HashMap<>();

    void add(Entry entry) {
        entries.addLast(entry);
    }

    /**
     * Notes the id of a record that was added.
     *
     * @return the record before it that has this id and has not ended; empty = none
     */
    Optional<Entry> following(String id, Entry entry) {
        entry.named(id);
        return Optional.ofNullable(lastOfId.put(id, entry)).filter(before -> before.state() != Entry.State.DONE);
    }

    /**
     * Forgets the records at the head that have ended.
     *
     * @return their bytes
     */
    long settle() {
        long freed = 0;
        while (!entries.isEmpty() && entries.peekFirst().state() == Entry.State.DONE) {
            Entry done = entries.removeFirst();
            freed += done.bytes();
            lastOfId.remove(done.id(), done);
            position = Optional.of(
                    new OffsetAndMetadata(done.offset() + 1, done.record().leaderEpoch(), ""));
        }
        return freed;
    }

    /** How many records a later one may have to follow. */
    int named() {
        return lastOfId.size();
    }

    /** Whether a record has no answer yet. */
    boolean isOpen() {
        return entries.stream().anyMatch(entry -> entry.state() == Entry.State.OPEN);
    }

    int size() {
        return entries.size();
    }

    long bytes() {
        return entries.stream().mapToLong(Entry::bytes).sum();
    }

    /**
     * Forgets all records, because the partition is read again.
     *
     * @return the offset to read from; empty if no record is left
     */
    Optional<Long> rewind() {
        Optional<Long> first = Optional.ofNullable(entries.peekFirst()).map(Entry::offset);
        entries.clear();
        lastOfId.clear();
        return first;
    }

    /** The offset that is not committed yet; empty = none. */
    Optional<OffsetAndMetadata> uncommitted() {
        return position.filter(offset -> offset.offset() > committed);
    }

    void committed(long offset) {
        committed = Math.max(committed, offset);
    }
}
