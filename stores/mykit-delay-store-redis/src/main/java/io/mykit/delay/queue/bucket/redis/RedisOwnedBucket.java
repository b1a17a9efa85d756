package io.mykit.delay.queue.bucket.redis;

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

/** A bucket that this node has claimed. Each call carries the youngest claim of the term. Thread-safe. */
final class RedisOwnedBucket implements OwnedBucket {
    private final BucketKeys keys;
    private final long epoch;
    private final ClaimResult found;
    private final OwnerCalls calls;

    RedisOwnedBucket(BucketKeys keys, long epoch, ClaimResult found, OwnerCalls calls) {
        this.keys = keys;
        this.epoch = epoch;
        this.found = found;
        this.calls = calls;
    }

    @Override
    public int bucket() {
        return keys.bucket;
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
        calls.terms().markRestored(keys, epoch, ClaimResult.LOST);
    }

    @Override
    public void markCompared() {
        calls.terms().markRestored(keys, epoch, ClaimResult.OLDER);
    }

    @Override
    public long nextDue() {
        return calls.joint().nextDue(List.of(this)).get(0).orThrow();
    }

    @Override
    public ScanResult moveDue(int limit, Handover handover) {
        return calls.joint().moveDue(List.of(this), limit, handover).get(0).orThrow();
    }

    @Override
    public Map<String, Long> ready() {
        return calls.reads().ready(keys);
    }

    @Override
    public Set<String> readyTopics() {
        return calls.reads().readyTopics(keys);
    }

    @Override
    public void settle(Collection<String> ids) {
        calls.joint().settle(List.of(this), List.of(ids)).get(0).orThrow();
    }

    @Override
    public void extend(Collection<String> ids, Duration lease) {
        calls.leases().extend(keys, claim(), ids, lease);
    }

    @Override
    public void retake(Collection<MessageRef> messages, Duration lease) {
        calls.leases().retake(keys, claim(), messages, lease);
    }

    @Override
    public void release(String topic, List<String> ids, boolean attempted) {
        calls.leases().release(keys, topic, claim(), ids, attempted);
    }

    @Override
    public void postpone(Collection<DelayMessage> messages, Set<String> attempted) {
        calls.leases().postpone(keys, claim(), messages, attempted);
    }

    @Override
    public void park(Collection<ParkedOutcome> outcomes) {
        calls.leases().park(keys, claim(), outcomes);
    }

    @Override
    public void leave(Collection<String> ids, Duration hold, String receipt) {
        calls.leases().leave(keys, claim(), ids, hold, receipt);
    }

    @Override
    public List<ParkedOutcome> parked(int limit) {
        return calls.reads().parked(keys, limit);
    }

    @Override
    public void unpark(Collection<String> ids) {
        calls.leases().unpark(keys, claim(), ids);
    }

    @Override
    public Map<String, List<String>> leased(long deadlineMs, int skip, int limit) {
        return calls.leases().leased(keys, deadlineMs, skip, limit);
    }

    @Override
    public StrayCount strays() {
        return calls.strays().count(keys);
    }

    @Override
    public boolean trimReady() {
        return calls.strays().trimReady(keys, claim());
    }

    @Override
    public String collectStrays(String cursor) {
        return calls.strays().collect(keys, claim(), cursor);
    }

    @Override
    public void forEachWaiting(Consumer<List<String>> pages) {
        calls.reads().forEachWaiting(keys, pages);
    }

    private Claim claim() {
        return calls.terms().claimOf(keys.bucket, epoch);
    }
}
