package io.mykit.delay.ingest.kafka;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.Via;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One consumer and the records that it has read. A record that cannot be stored now is no bad record: all partitions pause, the consumer goes
 * on polling so that it stays in its group, and after a pause each partition is read again from its first record without an end. So the
 * order of a partition is kept, and what was stored meanwhile is a repeat. For the thread of the loop, save the ends of records.
 */
final class IngestSession implements ConsumerRebalanceListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IngestSession.class);

    private static final Duration IDLE_POLL = Duration.ofMillis(200);
    private static final Duration BUSY_POLL = Duration.ofMillis(20);
    private static final Duration FULL_POLL = Duration.ofMillis(2);
    private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(4);
    private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();
    private static final Backoff AGAIN = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));

    private final Consumer<byte[], byte[]> consumer;
    private final Producers producers;
    private final RecordForm form;
    private final Rejected rejected;
    private final IngestMeters meters;
    private final IngestBounds bounds;
    private final LongSupplier nanoTime;
    private final CommitLog commits;
    private final Map<TopicPartition, PartitionWork> work = new HashMap<>();
    /** The ends of records that the loop has to act on. */
    private final Queue<Failed> failed = new ConcurrentLinkedQueue<>();

    /** Pushes whose id an earlier record of their partition has, which has not ended: in another order a repeat would be another push. */
    private final List<Held> held = new ArrayList<>();

    private long pendingBytes;
    private int pendingRecords;
    private boolean committing;
    private long committedAtNanos;
    /** Why all partitions pause; empty = they do not. */
    private Optional<String> trouble = Optional.empty();

    private int troubles;
    private long pausedUntilNanos;

    /** @param nanoTime as {@link System#nanoTime} */
    IngestSession(
            Consumer<byte[], byte[]> consumer,
            Producers producers,
            RecordForm form,
            Rejected rejected,
            IngestMeters meters,
            IngestBounds bounds,
            LongSupplier nanoTime) {
        this.consumer = consumer;
        this.producers = producers;
        this.form = form;
        this.rejected = rejected;
        this.meters = meters;
        this.bounds = bounds;
        this.nanoTime = nanoTime;
        this.commits = new CommitLog(nanoTime);
        this.committedAtNanos = nanoTime.getAsLong();
    }

    /**
     * Reads what there is, and acts on the ends of earlier records. Blocks for a fifth of a second at most, in a rebalance for some seconds.
     *
     * @throws KafkaException the records cannot be read now
     */
    void turn() {
        boolean full = pendingBytes >= bounds.bytes() || pendingRecords >= bounds.records();
        if (trouble.isPresent() || full) {
            consumer.pause(consumer.assignment());
        } else {
            consumer.resume(consumer.paused());
        }
        ConsumerRecords<byte[], byte[]> polled =
                consumer.poll(full || !held.isEmpty() ? FULL_POLL : pendingRecords > 0 ? BUSY_POLL : IDLE_POLL);
        for (TopicPartition each : polled.partitions()) {
            PartitionWork partition = work.computeIfAbsent(each, any -> new PartitionWork());
            polled.records(each).forEach(record -> take(partition, record));
        }
        settle();
        if (trouble.isPresent()
                && nanoTime.getAsLong() - pausedUntilNanos >= 0
                && work.values().stream().noneMatch(PartitionWork::isOpen)) {
            rewind();
        }
        if (nanoTime.getAsLong() - committedAtNanos >= bounds.commitEvery().toNanos() && !committing) {
            commit();
        }
    }

    private void take(PartitionWork partition, ConsumerRecord<byte[], byte[]> record) {
        Entry entry = new Entry(record);
        partition.add(entry);
        pendingBytes += entry.bytes();
        pendingRecords++;
        try {
            RecordForm.Read read = form.read(record);
            Optional<Entry> before = read.isMade() ? Optional.empty() : partition.following(read.id(), entry);
            if (before.isPresent()) {
                held.add(new Held(entry, read.push(), before.get()));
            } else {
                push(entry, read.push());
            }
        } catch (DelayException refused) {
            producers.refused(refused.code());
            failed.add(new Failed(entry, refused));
        } catch (RuntimeException | Error defect) {
            failed.add(new Failed(entry, defect));
        }
    }

    private void push(Entry entry, CheckedPush push) {
        try {
            var unused = producers.push(push, Via.KAFKA).whenComplete((result, failure) -> ended(entry, failure));
        } catch (RuntimeException | Error defect) {
            failed.add(new Failed(entry, defect));
        }
    }

    /** Pushes those whose turn has come. */
    private void release() {
        held.removeIf(next -> {
            switch (next.before().state()) {
                case OPEN -> {
                    return false;
                }
                case DONE -> push(next.entry(), next.push());
                case AGAIN -> next.entry().end(Entry.State.AGAIN);
            }
            return true;
        });
    }

    /** On a thread of the intake. */
    private void ended(Entry entry, Throwable failure) {
        if (failure == null) {
            meters.stored();
            entry.end(Entry.State.DONE);
        } else {
            failed.add(new Failed(entry, failure));
        }
    }

    private void settle() {
        for (Failed next = failed.poll(); next != null; next = failed.poll()) {
            act(next);
        }
        release();
        for (PartitionWork partition : work.values()) {
            int before = partition.size();
            pendingBytes -= partition.settle();
            pendingRecords -= before - partition.size();
            if (partition.size() < before) {
                // An intake that other producers fill takes some records of each round, so the next pause is short.
                troubles = 0;
            }
        }
    }

    private void act(Failed end) {
        Throwable why = end.why() instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : end.why();
        if (why instanceof DelayException known && isBad(known.code())) {
            CompletableFuture<?> unused = rejected.add(end.entry().record(), known)
                    .whenComplete((written, failure) -> {
                        if (failure == null) {
                            end.entry().end(Entry.State.DONE);
                        } else {
                            failed.add(new Failed(end.entry(), failure));
                        }
                    });
            return;
        }
        end.entry().end(Entry.State.AGAIN);
        boolean defect = !(why instanceof DelayException) && !(why instanceof IllegalStateException);
        if (defect) {
            LOG.error(
                    "A record cannot be pushed because of a defect of the server; please report the stack trace."
                            + " Partition {}, offset {} of {}",
                    end.entry().record().partition(),
                    end.entry().offset(),
                    end.entry().record().topic(),
                    why);
        }
        pause(why instanceof DelayException known ? known.code() + ": " + known.getMessage() : why.getMessage());
    }

    private void pause(String why) {
        if (trouble.isEmpty()) {
            troubles++;
            pausedUntilNanos = nanoTime.getAsLong() + AGAIN.after(troubles).toNanos();
        }
        trouble = Optional.of(why == null ? "a defect; the log knows more" : why);
    }

    /** Whether the record is to blame, so that each further try would end the same. */
    private static boolean isBad(ErrorCode code) {
        return switch (code) {
            case BUSY,
                    RATE_LIMITED,
                    STORE_UNAVAILABLE,
                    INDEX_UNAVAILABLE,
                    OUTCOME_UNKNOWN,
                    STOPPING,
                    ALREADY_RUNNING,
                    INTERNAL -> false;
            default -> true;
        };
    }

    /** Reads again what was read and did not end. */
    private void rewind() {
        work.forEach((partition, own) -> {
            pendingBytes -= own.bytes();
            pendingRecords -= own.size();
            own.rewind().ifPresent(offset -> consumer.seek(partition, offset));
        });
        trouble = Optional.empty();
    }

    private void commit() {
        committedAtNanos = nanoTime.getAsLong();
        Map<TopicPartition, OffsetAndMetadata> offsets = uncommitted(work.keySet());
        if (offsets.isEmpty()) {
            commits.succeeded();
            return;
        }
        committing = true;
        try {
            consumer.commitAsync(offsets, (committed, failure) -> {
                committing = false;
                if (failure == null) {
                    committed(committed);
                    commits.succeeded();
                } else {
                    // The next interval tries again; without it the records are read again, and are repeats.
                    commits.failed(failure);
                }
            });
        } catch (RuntimeException e) {
            // No answer comes.
            committing = false;
            throw e;
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> uncommitted(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        partitions.forEach(partition -> Optional.ofNullable(work.get(partition))
                .flatMap(PartitionWork::uncommitted)
                .ifPresent(offset -> offsets.put(partition, offset)));
        return offsets;
    }

    private void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, offset) ->
                Optional.ofNullable(work.get(partition)).ifPresent(own -> own.committed(offset.offset())));
    }

    /** The new partitions begin paused if the others are. */
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        if (trouble.isPresent()) {
            consumer.pause(partitions);
        }
    }

    /** Another node will read them: waits for the answers that are on their way, and commits. Called by a poll, and by the close. */
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        long deadline = nanoTime.getAsLong() + bounds.handOver().toNanos();
        settle();
        while (partitions.stream().anyMatch(this::isOpen) && nanoTime.getAsLong() - deadline < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
            settle();
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = uncommitted(partitions);
        try {
            if (!offsets.isEmpty()) {
                consumer.commitSync(offsets, COMMIT_TIMEOUT);
            }
        } catch (KafkaException e) {
            // The other node reads these records again, and they are repeats.
            commits.failed(e);
        }
        forget(partitions);
    }

    /** Another node reads them already. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        forget(partitions);
    }

    private boolean isOpen(TopicPartition partition) {
        return Optional.ofNullable(work.get(partition))
                .filter(PartitionWork::isOpen)
                .isPresent();
    }

    private void forget(Collection<TopicPartition> partitions) {
        held.removeIf(next -> partitions.contains(partition(next.entry().record())));
        partitions.forEach(
                partition -> Optional.ofNullable(work.remove(partition)).ifPresent(own -> {
                    pendingBytes -= own.bytes();
                    pendingRecords -= own.size();
                }));
    }

    private static TopicPartition partition(ConsumerRecord<?, ?> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    /** Why no records are read; empty = they are. */
    Optional<String> trouble() {
        return trouble;
    }

    Set<TopicPartition> assignment() {
        return consumer.assignment();
    }

    /** Bytes of the records that have not ended. */
    long pendingBytes() {
        return pendingBytes;
    }

    /** The records that are not stored yet, as far as the consumer knows. */
    long lag() {
        long unread = consumer.assignment().stream()
                .map(consumer::currentLag)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .sum();
        return unread + pendingRecords;
    }

    Consumer<byte[], byte[]> consumer() {
        return consumer;
    }

    /** Waits for the answers that are on their way, commits, and leaves the group. */
    @Override
    public void close() {
        try {
            consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
        } finally {
            rejected.close();
        }
    }

    /** @param before the record whose end it waits for */
    private record Held(Entry entry, CheckedPush push, Entry before) {}

    /** @param why the failure of its push, or of its write to the topic for rejected records */
    private record Failed(Entry entry, Throwable why) {}
}
