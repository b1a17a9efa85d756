package io.mykit.delay.queue.lease;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NotOwnedException;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The buckets of one term's leader, with the leases that this leader knows. The loops and the dispatcher use it for every
 * call on a bucket.
 *
 * <p>A message is under a lease in Redis from the script that takes it. The leader knows the lease as soon as it gets the
 * answer. If the answer does not come, the bucket is suspect. At the next claim, the leader reads the leases of the bucket
 * and gives back at once those that it does not know. Otherwise their messages would wait for the end of their lease.
 *
 * <p>Invariant: while a claim reads the leases, no answer is on its way. A call on a bucket's leases holds the bucket's
 * lock, shared, until the leader has noted the answer; a claim holds the lock alone. A call that the leader gave up may still be in
 * a socket's buffer. Redis refuses it if Redis executes it after the claim, because each claim begins a new turn ({@link
 * MessageIndex#claim}). A call on several buckets locks them in the order of their numbers, and a claim, a mark and the reaper lock one bucket.
 * So a deadlock is impossible.
 *
 * <p>A batch comes from several buckets. The ordinary calls on them ({@link #moveDue}, {@link #take}, {@link #settle}) share one
 * exchange with each server. The others ({@link #extend}, {@link #park}, {@link #postpone}, {@link #release}) are made for each
 * bucket on its own. If one bucket does not answer or is not owned, the
 * others are still served. The scanner of the failed bucket later gives back the leases that the leader does not know.
 *
 * <p>Thread-safe.
 */
public final class OwnedBuckets implements Iterable<OwnedBucket> {
    private final LeaderTerm term;
    private final TermBucket[] buckets;
    private final JointCalls joint;
    private final Leaving leaving;

    public OwnedBuckets(MessageIndex index, LeaderTerm term) {
        this(index, term, Pulled.of(PulledTopics.NONE));
    }

    /** @param pulled the topics of which a leader delivers nothing from the ready lists */
    public OwnedBuckets(MessageIndex index, LeaderTerm term, Pulled pulled) {
        this.term = term;
        this.buckets = new TermBucket[index.buckets()];
        for (int bucket = 0; bucket < buckets.length; bucket++) {
            buckets[bucket] = new TermBucket(bucket, index, term, pulled);
        }
        this.joint = new JointCalls(index, buckets);
        this.leaving = new Leaving(index.holds(), buckets);
    }

    /**
     * Claims the bucket, and gives back the leases that the leader does not know: leases of its own whose answer was lost,
     * and leases of an earlier leader.
     */
    public OwnedBucket claim(int bucket) {
        buckets[bucket].ownership().claim();
        return buckets[bucket];
    }

    /**
     * The bucket. While it is not owned, its calls throw {@link NotOwnedException}. The object stays the same when the
     * bucket is claimed again.
     */
    public OwnedBucket get(int bucket) {
        return buckets[bucket];
    }

    /** The buckets that are owned; none once the term has ended. */
    @Override
    public Iterator<OwnedBucket> iterator() {
        return Arrays.stream(buckets)
                .filter(bucket -> term.isActive() && bucket.ownership().isOwned())
                .map(OwnedBucket.class::cast)
                .iterator();
    }

    public boolean isOwned(int bucket) {
        return buckets[bucket].ownership().isOwned();
    }

    /** Whether the bucket must be claimed again, because it may have leases that the leader does not know. */
    public boolean isSuspect(int bucket) {
        return buckets[bucket].ownership().isSuspect();
    }

    /** The bucket has lost its leases: its scanner claims it again, and the claim registers those that the leader knows. */
    public void suspect(int bucket) {
        buckets[bucket].ownership().suspect();
    }

    /**
     * Whether a taken message may have ended already: it was given back after a lost answer, or its bucket came back older, and
     * it was taken before the bucket was compared with the store, or from a ready list that was not empty since.
     */
    public boolean isDoubtful(int bucket, String id) {
        return buckets[bucket].ownership().doubt().isAbout(id);
    }

    /** Whether the bucket came back older, and messages in it may have ended already. */
    public boolean isOlder(int bucket) {
        return buckets[bucket].ownership().doubt().isOpen();
    }

    /** The number of claims of the bucket in this term. A walk over the store notes it at its begin. */
    public int claims(int bucket) {
        return buckets[bucket].ownership().claims();
    }

    /**
     * Ends the state {@link ClaimResult#LOST}.
     *
     * @param since {@link #claims} at the begin of the restore
     * @throws NotOwnedException if the bucket was claimed again since: its scanner reports it again
     */
    public void restored(int bucket, int since) {
        buckets[bucket].restored(since);
    }

    /** The waiting messages of the bucket agree with the store. Otherwise as {@link #restored}. */
    public void compared(int bucket, int since) {
        buckets[bucket].compared(since);
    }

    /**
     * Ends the state {@link ClaimResult#OLDER} of a bucket that was compared, if its ready lists are empty and no doubtful message is
     * taken. Otherwise as {@link #restored}.
     */
    public boolean drained(int bucket, int since) {
        return buckets[bucket].drained(since);
    }

    /**
     * As {@link MessageIndex#take}. The result leaves out buckets that failed: their scanners offer their ready lists
     * again. It leaves out messages that a batch of this leader still has.
     */
    public List<Take> take(Collection<Integer> from, String topic, int limit, Duration lease) {
        return joint.take(from, topic, limit, lease);
    }

    /**
     * As {@link OwnedBucket#moveDue} of each of these buckets, in one exchange with each server.
     *
     * @return in the order of their numbers. A failure is returned and not thrown
     */
    public List<Answer<ScanResult>> moveDue(Collection<Integer> from, int limit, Handover handover) {
        return joint.moveDue(from, limit, handover);
    }

    /** As {@link OwnedBucket#nextDue} of each of these buckets. Otherwise as {@link #moveDue}. */
    public List<Answer<Long>> nextDue(Collection<Integer> from) {
        return joint.nextDue(from);
    }

    /** Forgets messages whose outcomes are in the store, in one exchange with each server. */
    public void settle(Map<Integer, List<String>> ids) {
        joint.settle(ids);
    }

    /** Returns the buckets that answered. In the others, the messages keep the leases that they have. */
    public Set<Integer> extend(Map<Integer, List<String>> ids, Duration lease) {
        Set<Integer> extended = new TreeSet<>();
        each(ids, (bucket, some) -> {
            bucket.extend(some, lease);
            extended.add(bucket.bucket());
        });
        return extended;
    }

    public void park(Map<Integer, List<ParkedOutcome>> outcomes) {
        each(outcomes, (bucket, some) -> bucket.park(some));
    }

    /** @param attempted see {@link OwnedBucket#postpone} */
    public void postpone(Map<Integer, List<DelayMessage>> messages, Set<String> attempted) {
        each(messages, (bucket, some) -> bucket.postpone(some, attempted));
    }

    /** @param attempted see {@link OwnedBucket#release} */
    public void release(String topic, Map<Integer, List<String>> ids, boolean attempted) {
        each(ids, (bucket, some) -> bucket.release(topic, some, attempted));
    }

    /**
     * The leader drops these leases without a call to the index. The scanner claims the buckets again, and the claim gives
     * these messages back. What the term has left ({@link Leaving}) has no such claim, so its holds end at once. Throws nothing.
     */
    public void abandon(Map<Integer, List<String>> ids) {
        ids.forEach((bucket, some) -> buckets[bucket].abandon(some));
    }

    /** The messages of batches that the end of the term finds under way. */
    public Leaving leaving() {
        return leaving;
    }

    /**
     * Runs this while no other call takes a message of the bucket or gives one back. It may call this bucket only, and its caller
     * makes no call on several buckets meanwhile: otherwise a deadlock is possible.
     */
    public void alone(int bucket, Runnable work) {
        buckets[bucket].ownership().alone(() -> {
            work.run();
            return null;
        });
    }

    private <T> void each(Map<Integer, T> parts, BucketCall<T> call) {
        Failures failures = new Failures();
        parts.forEach((bucket, part) -> {
            try {
                call.make(buckets[bucket], part);
            } catch (RuntimeException e) {
                failures.met(e);
            }
        });
        failures.rethrow();
    }

    private interface BucketCall<T> {
        void make(OwnedBucket bucket, T part);
    }
}
