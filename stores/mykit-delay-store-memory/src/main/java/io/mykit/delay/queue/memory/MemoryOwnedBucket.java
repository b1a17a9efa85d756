package io.mykit.delay.queue.memory;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.StrayCount;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** A bucket that a node of the in-memory index has claimed. Thread-safe. */
final class MemoryOwnedBucket implements OwnedBucket {
    private static final int PAGE = 1000;

    private final int bucket;
    private final long epoch;
    private final ClaimResult found;
    private final MemoryOwnerCalls index;

    MemoryOwnedBucket(int bucket, long epoch, ClaimResult found, MemoryOwnerCalls index) {
        this.bucket = bucket;
        this.epoch = epoch;
        this.found = found;
        this.index = index;
    }

    @Override
    public int bucket() {
        return bucket;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public ClaimResult found() {
        return found;
    }

    @Override
    public void markRestored() {
        change(false, data -> data.mark(ClaimResult.LOST));
    }

    @Override
    public void markCompared() {
        change(false, data -> data.mark(ClaimResult.OLDER));
    }

    @Override
    public long nextDue() {
        return index.asOwner(bucket, epoch, false, MemoryBucket::nextDueMs);
    }

    @Override
    public ScanResult moveDue(int limit, Handover handover) {
        ScanResult result =
                index.asOwner(bucket, epoch, true, data -> data.moveDue(limit, handover, index.timeMs() * 1000));
        result.topics().stream().filter(handover.pulled()::contains).forEach(topic -> index.tellReady(bucket, topic));
        return result;
    }

    @Override
    public Map<String, Long> ready() {
        return index.read(bucket, MemoryBucket::ready);
    }

    @Override
    public Set<String> readyTopics() {
        return Set.copyOf(ready().keySet());
    }

    @Override
    public void settle(Collection<String> ids) {
        change(true, data -> data.settle(ids));
    }

    @Override
    public void extend(Collection<String> ids, Duration lease) {
        change(true, data -> data.extend(ids, index.timeMs() + lease.toMillis()));
    }

    @Override
    public void retake(Collection<MessageRef> messages, Duration lease) {
        change(true, data -> {
            messages.forEach(message -> data.retake(message, index.timeMs() + lease.toMillis()));
            if (messages.isEmpty()) {
                data.knowLeases();
            }
        });
    }

    @Override
    public void release(String topic, List<String> ids, boolean attempted) {
        change(true, data -> data.release(topic, ids, attempted));
    }

    @Override
    public void postpone(Collection<DelayMessage> messages, Set<String> attempted) {
        change(
                true,
                data -> messages.forEach(
                        message -> data.postpone(message, attempted.contains(message.id()), index.timeMs())));
    }

    @Override
    public void park(Collection<ParkedOutcome> outcomes) {
        change(true, data -> outcomes.forEach(data::park));
    }

    @Override
    public void leave(Collection<String> ids, Duration hold, String receipt) {
        change(true, data -> ids.forEach(id -> data.leave(id, index.timeMs() + hold.toMillis(), receipt)));
    }

    @Override
    public List<ParkedOutcome> parked(int limit) {
        return index.read(bucket, data -> data.parked(limit));
    }

    @Override
    public void unpark(Collection<String> ids) {
        change(false, data -> data.unpark(ids));
    }

    @Override
    public Map<String, List<String>> leased(long deadlineMs, int skip, int limit) {
        return index.read(bucket, data -> data.leased(deadlineMs, skip, limit));
    }

    @Override
    public StrayCount strays() {
        return index.read(bucket, MemoryBucket::strays);
    }

    @Override
    public boolean trimReady() {
        change(false, data -> {});
        return false;
    }

    @Override
    public String collectStrays(String cursor) {
        change(false, MemoryBucket::collectStrays);
        return FIRST_PAGE;
    }

    @Override
    public void forEachWaiting(Consumer<List<String>> pages) {
        List<String> ids = index.read(bucket, MemoryBucket::waitingIds);
        for (int from = 0; from < ids.size(); from += PAGE) {
            pages.accept(List.copyOf(ids.subList(from, Math.min(ids.size(), from + PAGE))));
        }
    }

    private void change(boolean exactly, Consumer<MemoryBucket> call) {
        Function<MemoryBucket, Boolean> made = data -> {
            call.accept(data);
            return true;
        };
        index.asOwner(bucket, epoch, exactly, made);
    }
}
