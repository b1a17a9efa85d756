package io.mykit.delay.queue.lease;

import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which leases the leader of one term knows of. A message is under a lease in Redis from the script that takes it, and the
 * leader knows it from the answer on. If that does not come, the bucket is suspect: at the next claim its leases are read, and
 * those that the leader does not know are given back at once. Otherwise their messages would wait for the end of their lease.
 *
 * <p>Right by construction: a call on a bucket holds the bucket's lock, shared, until the leader has noted its answer; a claim
 * holds it alone. So no answer is on its way while a claim reads the leases. And a call that was given up, but is still in a
 * socket's buffer, is refused when Redis comes to it after the claim, as each claim begins a new turn (see
 * {@link BucketIndex}). A call on several buckets locks them in their order, and a claim locks one: so they never wait for each
 * other in a circle.
 *
 * <p>Thread-safe.
 */
public final class TermLeases {
    private static final Logger LOG = LoggerFactory.getLogger(TermLeases.class);
    private static final int PAGE = 1000;

    private final BucketIndex index;
    private final LeaderTerm term;
    private final HeldBucket[] buckets;

    public TermLeases(BucketIndex index, LeaderTerm term) {
        this.index = index;
        this.term = term;
        this.buckets = new HeldBucket[index.buckets()];
        for (int bucket = 0; bucket < buckets.length; bucket++) {
            buckets[bucket] = new HeldBucket();
        }
    }

    /** Makes a scan, and notes what it took. */
    public ScanResult scan(int bucket, Supplier<ScanResult> moveDue) {
        HeldBucket held = buckets[bucket];
        held.lock().lock();
        try {
            ScanResult result = guarded(bucket, moveDue);
            held.took(result.taken());
            return result;
        } finally {
            held.lock().unlock();
        }
    }

    /** Takes from ready lists, and notes what it took. */
    public List<Take> take(Collection<Integer> from, Supplier<List<Take>> take) {
        Collection<Integer> inOrder = new TreeSet<>(from);
        inOrder.forEach(bucket -> buckets[bucket].lock().lock());
        try {
            List<Take> taken = take.get();
            for (Take one : taken) {
                buckets[one.bucket()].took(one.messages());
                if (one.failure() instanceof IndexUnavailableException e) {
                    suspect(one.bucket(), e);
                }
            }
            return taken;
        } finally {
            inOrder.forEach(bucket -> buckets[bucket].lock().unlock());
        }
    }

    /** Settles, parks, postpones or releases messages: whatever comes of it, the leader has done with them. */
    public void end(int bucket, Collection<String> ids, Runnable call) {
        HeldBucket held = buckets[bucket];
        held.lock().lock();
        try {
            guarded(bucket, () -> {
                call.run();
                return null;
            });
        } finally {
            held.forget(ids);
            held.lock().unlock();
        }
    }

    /** Makes a call that changes leases without ending any that the leader knows. */
    public void change(int bucket, Runnable call) {
        end(bucket, List.of(), call);
    }

    /** The leader drops these without having told the index: they are given back soon. */
    public void abandon(int bucket, Collection<String> ids) {
        buckets[bucket].forget(ids);
        buckets[bucket].suspect = true;
    }

    /** Whether the bucket must be claimed again, because it may have leases that the leader does not know. */
    public boolean isSuspect(int bucket) {
        return buckets[bucket].suspect;
    }

    /** Whether the bucket came back older and was not compared with the store since: what is in it may have ended. */
    public boolean isOlder(int bucket) {
        return buckets[bucket].older;
    }

    /** The bucket agrees with the store. */
    public void compared(int bucket) {
        buckets[bucket].older = false;
    }

    /** Claims the bucket, and gives back the leases that the leader does not know: its own of which it never heard, or others'. */
    public ClaimResult claim(int bucket) {
        HeldBucket held = buckets[bucket];
        held.lock.writeLock().lock();
        try {
            held.suspect = true;
            ClaimResult found = index.claim(bucket, term.epoch());
            held.older = found == ClaimResult.OLDER;
            int released = releaseUnknown(bucket, held);
            held.suspect = false;
            if (released > 0) {
                LOG.info(
                        "Bucket {}: gave back {} messages under leases that this leader did not know",
                        bucket,
                        released);
            }
            return found;
        } finally {
            held.lock.writeLock().unlock();
        }
    }

    private int releaseUnknown(int bucket, HeldBucket held) {
        int known = 0;
        int released = 0;
        Map<String, List<String>> leased = index.leased(bucket, Long.MAX_VALUE, known, PAGE);
        while (!leased.isEmpty()) {
            for (Map.Entry<String, List<String>> topic : leased.entrySet()) {
                List<String> unknown = new ArrayList<>(topic.getValue());
                unknown.removeIf(held.ids::contains);
                if (!unknown.isEmpty()) {
                    index.release(bucket, topic.getKey(), term.epoch(), unknown);
                }
                released += unknown.size();
                known += topic.getValue().size() - unknown.size();
            }
            leased = index.leased(bucket, Long.MAX_VALUE, known, PAGE);
        }
        return released;
    }

    private <T> T guarded(int bucket, Supplier<T> call) {
        try {
            return call.get();
        } catch (IndexUnavailableException e) {
            suspect(bucket, e);
            throw e;
        }
    }

    private void suspect(int bucket, IndexUnavailableException why) {
        if (!buckets[bucket].suspect) {
            buckets[bucket].suspect = true;
            LOG.info(
                    "Bucket {} did not answer: its leases are looked through when it does ({})",
                    bucket,
                    why.getMessage());
        }
    }
}
