package io.mykit.delay.queue.lease;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.StrayCount;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bucket in one term, for the loops and the dispatcher. Each call goes through the bucket's {@link Ownership}.
 * Thread-safe.
 */
final class TermBucket implements OwnedBucket {
    private static final Logger LOG = LoggerFactory.getLogger(TermBucket.class);

    private final int bucket;
    private final long epoch;
    private final Ownership ownership;
    private final KnownLeases known;
    private final Pulled pulled;

    TermBucket(int bucket, MessageIndex index, LeaderTerm term, Pulled pulled) {
        this.bucket = bucket;
        this.epoch = term.epoch();
        this.known = new KnownLeases();
        this.ownership = new Ownership(bucket, index, term, known);
        this.pulled = pulled;
    }

    Ownership ownership() {
        return ownership;
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
        return ownership.call(OwnedBucket::found);
    }

    @Override
    public void markRestored() {
        run(OwnedBucket::markRestored);
    }

    @Override
    public void markCompared() {
        run(OwnedBucket::markCompared);
    }

    KnownLeases known() {
        return known;
    }

    /** See {@link OwnedBuckets#restored}. */
    void restored(int since) {
        mark(since, () -> {
            markRestored();
            return null;
        });
    }

    /** See {@link OwnedBuckets#compared}. */
    void compared(int since) {
        mark(since, () -> {
            ownership.doubt().compared();
            return null;
        });
    }

    /** See {@link OwnedBuckets#drained}. */
    boolean drained(int since) {
        return mark(since, () -> {
            if (ownership.doubt().isAboutAny() || !ready().keySet().stream().allMatch(pulled::contains)) {
                return false;
            }
            markCompared();
            ownership.doubt().end();
            return true;
        });
    }

    @Override
    public long nextDue() {
        return ownership.call(OwnedBucket::nextDue);
    }

    @Override
    public ScanResult moveDue(int limit, Handover handover) {
        return ownership.changeLeases(List.of(), mine -> {
            ScanResult result = mine.moveDue(limit, handover);
            return result.withTaken(ownership.note(result.taken(), handover.lease(), false));
        });
    }

    @Override
    public Map<String, Long> ready() {
        return ownership.call(OwnedBucket::ready);
    }

    @Override
    public Set<String> readyTopics() {
        return ownership.call(OwnedBucket::readyTopics);
    }

    @Override
    public void settle(Collection<String> ids) {
        end(ids, mine -> mine.settle(ids), left -> left.settle(ids));
        ownership.doubt().ended(ids);
    }

    @Override
    public void extend(Collection<String> ids, Duration lease) {
        // A claim reads the leases in the order of their ends, page by page. No lease may move to another page
        // meanwhile.
        ownership.lock().lock();
        try {
            run(mine -> mine.extend(ids, lease));
        } finally {
            ownership.lock().unlock();
        }
    }

    @Override
    public void leave(Collection<String> ids, Duration hold, String receipt) {
        run(mine -> mine.leave(ids, hold, receipt));
    }

    @Override
    public void retake(Collection<MessageRef> messages, Duration lease) {
        run(mine -> mine.retake(messages, lease));
    }

    @Override
    public void release(String topic, List<String> ids, boolean attempted) {
        end(ids, mine -> mine.release(topic, ids, attempted), left -> left.release(ids));
    }

    /** See {@link OwnedBuckets#abandon}. */
    void abandon(Collection<String> ids) {
        try {
            end(ids, left -> left.release(ids), () -> ownership.abandon(ids));
        } catch (RuntimeException e) {
            LOG.warn("Bucket {}: {} messages wait for the end of their holds: {}", bucket, ids.size(), e.toString());
        }
    }

    @Override
    public void postpone(Collection<DelayMessage> messages, Set<String> attempted) {
        List<String> ids = messages.stream().map(DelayMessage::id).toList();
        end(ids, mine -> mine.postpone(messages, attempted), left -> left.postpone(messages));
        ownership.doubt().ended(ids);
    }

    @Override
    public void park(Collection<ParkedOutcome> outcomes) {
        List<String> ids = outcomes.stream().map(ParkedOutcome::id).toList();
        ownership.kept().add(outcomes);
        end(ids, mine -> mine.park(outcomes), left -> left.park(outcomes));
        ownership.doubt().ended(ids);
    }

    @Override
    public List<ParkedOutcome> parked(int limit) {
        List<ParkedOutcome> parked = ownership.call(mine -> mine.parked(limit));
        // An earlier leader, or the node of a consumer, has parked some of them.
        ownership.kept().add(parked);
        return parked;
    }

    @Override
    public void unpark(Collection<String> ids) {
        ownership.kept().recorded(ids);
        run(mine -> mine.unpark(ids));
    }

    @Override
    public Map<String, List<String>> leased(long deadlineMs, int skip, int limit) {
        return ownership.call(mine -> mine.leased(deadlineMs, skip, limit));
    }

    @Override
    public StrayCount strays() {
        return ownership.call(OwnedBucket::strays);
    }

    @Override
    public boolean trimReady() {
        return ownership.call(OwnedBucket::trimReady);
    }

    @Override
    public String collectStrays(String cursor) {
        return ownership.call(mine -> mine.collectStrays(cursor));
    }

    @Override
    public void forEachWaiting(Consumer<List<String>> pages) {
        run(mine -> mine.forEachWaiting(pages));
    }

    /**
     * Marks the end of a walk over the store, while no lease is taken or given back.
     *
     * @param since {@link Ownership#claims()} at the begin of the walk
     * @throws BucketLostException if the bucket was claimed again since, because it may be lost or older again
     */
    private <T> T mark(int since, Supplier<T> mark) {
        return ownership.alone(() -> {
            if (ownership.claims() != since) {
                throw new BucketLostException(bucket);
            }
            return mark.get();
        });
    }

    private void run(Consumer<OwnedBucket> call) {
        ownership.call(mine -> {
            call.accept(mine);
            return null;
        });
    }

    /** @param late the call for messages that the term has left ({@link Leaving}) */
    private void end(Collection<String> ids, Consumer<OwnedBucket> call, Consumer<LeftMessages> late) {
        end(
                ids,
                late,
                () -> ownership.changeLeases(ids, mine -> {
                    call.accept(mine);
                    return null;
                }));
    }

    private void end(Collection<String> ids, Consumer<LeftMessages> late, Runnable ofTerm) {
        ownership.lock().lock();
        try {
            if (!known.endLeft(ids, late)) {
                ofTerm.run();
            }
        } finally {
            ownership.lock().unlock();
        }
    }
}
