package io.mykit.delay.queue.lease;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NotOwnedException;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether the leader of a term owns a bucket, and which leases in it the leader knows. It keeps the index's {@link
 * OwnedBucket} of the last claim.
 *
 * <p>Only this class acts on {@link NotOwnedException}. A lost bucket is not owned until its scanner claims it again. A
 * fenced bucket ends the term. The exception then goes on to the caller, and the caller makes no more calls on the bucket.
 * Thread-safe.
 */
final class Ownership {
    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);

    private final int bucket;
    private final MessageIndex index;
    private final LeaderTerm term;
    /** Calls on leases hold it shared; a claim, a mark and the reaper hold it alone. */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    /** Null = not owned. */
    private final AtomicReference<OwnedBucket> owned = new AtomicReference<>();

    private final KnownLeases known;
    private final KeptOutcomes kept;
    private final Doubt doubt = new Doubt();
    private final AtomicInteger claims = new AtomicInteger();
    private volatile boolean suspect;

    Ownership(int bucket, MessageIndex index, LeaderTerm term, KnownLeases known) {
        this.known = known;
        this.bucket = bucket;
        this.index = index;
        this.term = term;
        this.kept = new KeptOutcomes(KeptOutcomes.limit(index.buckets()));
    }

    /** Claims the bucket, and gives back the leases that the leader does not know. */
    void claim() {
        lock.writeLock().lock();
        try {
            suspect = true;
            OwnedBucket now = claimed();
            boolean wasLost = owned.getAndSet(now) == null && claims.get() > 0;
            // A bucket that another leader lost and restored meanwhile may lack writes of this leader. Only a
            // comparison ends the doubt about it, and a claim during that comparison finds the bucket held, too.
            boolean isWhole = now.found() == ClaimResult.HELD && !wasLost && !doubt.isOpen();
            if (isWhole || now.found() == ClaimResult.LOST) {
                doubt.end();
            } else {
                doubt.begin(known.ids());
            }
            // The first claim of a term finds leases of another leader, and none whose answer this leader lost.
            boolean isFirst = claims.getAndIncrement() == 0;
            call(mine -> known.releaseOthers(mine, isFirst ? leases -> {} : doubt::gaveBack));
            // Before the leases: after these the bucket knows what is in delivery, and answers by it. A bucket that
            // lost nothing may lack an outcome, too: the call that parked it failed.
            call(kept::parkAgain);
            call(known::retake);
            suspect = false;
        } finally {
            lock.writeLock().unlock();
        }
    }

    boolean isOwned() {
        return owned.get() != null;
    }

    boolean isSuspect() {
        return suspect;
    }

    /** The bucket may have leases that the leader does not know: its scanner claims it again. */
    void suspect() {
        suspect = true;
    }

    Doubt doubt() {
        return doubt;
    }

    KeptOutcomes kept() {
        return kept;
    }

    /** A call on leases holds this lock until the leader has noted the answer. */
    Lock lock() {
        return lock.readLock();
    }

    /** The index's own bucket; null = not owned. */
    OwnedBucket raw() {
        return owned.get();
    }

    /**
     * Notes the answer to a take. If the take failed, handles the failure.
     *
     * @return the messages that no batch of this leader has yet
     */
    List<DelayMessage> noteTake(OwnedBucket asked, Take take, Duration lease) {
        if (take.failure() != null) {
            failed(asked, take.failure());
        }
        return note(take.messages(), lease, true);
    }

    /** The leader drops these leases without a call to the index. The next claim, and not one under way, gives the messages back. */
    void abandon(Collection<String> ids) {
        lock().lock();
        try {
            forget(ids);
            suspect = true;
        } finally {
            lock().unlock();
        }
    }

    /** The number of claims in this term so far. */
    int claims() {
        return claims.get();
    }

    /** Runs this while no other call takes a lease or gives one back. */
    <T> T alone(Supplier<T> work) {
        lock.writeLock().lock();
        try {
            return work.get();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Makes a call that takes no lease and ends no lease that the leader knows. */
    <T> T call(Function<OwnedBucket, T> call) {
        OwnedBucket mine = owned.get();
        if (mine == null) {
            throw new BucketLostException(bucket);
        }
        try {
            return call.apply(mine);
        } catch (NotOwnedException e) {
            failed(mine, e);
            throw e;
        }
    }

    /**
     * Makes a call that changes leases. If no answer comes, the bucket is suspect.
     *
     * @param done ids that the leader gives up, whatever the answer is. The leader forgets them before the call: once Redis
     *     has released them, another batch may take them and note them again
     */
    <T> T changeLeases(Collection<String> done, Function<OwnedBucket, T> call) {
        lock().lock();
        try {
            forget(done);
            return call(mine -> {
                try {
                    return call.apply(mine);
                } catch (IndexUnavailableException e) {
                    failed(mine, e);
                    throw e;
                } catch (Error e) {
                    // The script may have taken messages that nobody notes.
                    suspect();
                    throw e;
                }
            });
        } finally {
            lock().unlock();
        }
    }

    /**
     * Adds the leases of these messages to those that the leader knows.
     *
     * @return the messages that no batch of this leader has yet. The others stay under their leases, and the batch that has them
     *     ends these
     */
    List<DelayMessage> note(List<DelayMessage> taken, Duration lease, boolean fromReadyList) {
        List<DelayMessage> fresh = known.note(taken, lease);
        doubt.taken(fresh, fromReadyList);
        if (fresh.size() < taken.size()) {
            LOG.info(
                    "Bucket {}: {} messages were taken again while a batch has them; they are not sent a second time",
                    bucket,
                    taken.size() - fresh.size());
        }
        return fresh;
    }

    /** No batch of this leader has these messages any more. */
    void forget(Collection<String> ids) {
        known.forget(ids);
        doubt.gone(ids);
    }

    private OwnedBucket claimed() {
        try {
            return index.claim(bucket, term.epoch());
        } catch (NotOwnedException e) {
            failed(owned.get(), e);
            throw e;
        }
    }

    /**
     * Notes the failure of a call on leases.
     *
     * @param asked the bucket object that was called; the bucket may have been claimed again since
     */
    void failed(OwnedBucket asked, RuntimeException why) {
        if (why instanceof NotOwnedException) {
            owned.compareAndSet(asked, null);
        }
        if (why instanceof FencedException && term.isActive()) {
            LOG.warn("The term of this leader ends, because another leader has claimed a bucket: {}", why.getMessage());
            term.fenced();
        }
        if (why instanceof IndexUnavailableException && !suspect) {
            suspect = true;
            LOG.info(
                    "Bucket {} did not answer; once it does, its scanner claims it again and checks its leases ({})",
                    bucket,
                    why.getMessage());
        }
    }
}
