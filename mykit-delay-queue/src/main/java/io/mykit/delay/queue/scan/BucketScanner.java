package io.mykit.delay.queue.scan;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NotOwnedException;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves due messages of one bucket to the ready lists, for one term. One thread uses it.
 *
 * <p>The scanner claims the bucket before the first scan. It claims the bucket again when the index lost it, when the
 * bucket came back older, or when the index did not answer. The claim gives back the leases that the leader does not know
 * ({@link OwnedBuckets}), and the scanner then offers all ready lists to the listener. Each move is one script: after a
 * crash, a message is either still in the bucket or in its ready list.
 */
public final class BucketScanner implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(BucketScanner.class);

    private final int bucket;
    private final MessageIndex index;
    private final LeaderTerm term;
    private final OwnedBuckets buckets;
    private final ScanListener listener;
    private final Supplier<Handover> handovers;
    private final int limit;
    private final Duration idlePoll;
    /** This term has claimed the bucket at least once. */
    private boolean had;
    /** The last round found that the bucket must be claimed again. */
    private boolean lost;
    /**
     * No message is due within the next two polls. So a read of the first due time is enough until an earlier message
     * comes.
     */
    private boolean quiet;

    /**
     * @param handovers say which messages the next scan may take at once for the listener
     * @param limit messages moved by one script call
     * @param idlePoll the longest sleep. It bounds the delay after a lost wake-up, and the time until a lost bucket is
     *     noticed
     */
    public BucketScanner(
            int bucket,
            MessageIndex index,
            LeaderTerm term,
            OwnedBuckets buckets,
            ScanListener listener,
            Supplier<Handover> handovers,
            int limit,
            Duration idlePoll) {
        this.bucket = bucket;
        this.index = index;
        this.term = term;
        this.buckets = buckets;
        this.listener = listener;
        this.handovers = handovers;
        this.limit = limit;
        this.idlePoll = idlePoll;
    }

    @Override
    public Duration runOnce() {
        if (!term.isActive()) {
            return idlePoll;
        }
        try {
            if ((!buckets.isOwned(bucket) || buckets.isSuspect(bucket)) && !claim()) {
                return idlePoll;
            }
            // The clocks of this node and of Redis differ by far less than one poll, and a message is far if it is two
            // polls away.
            quiet = quiet && isFar(buckets.get(bucket).nextDue(), index.timeMs());
            Duration pause = quiet ? idlePoll : move();
            lost = false;
            return pause;
        } catch (NotOwnedException e) {
            if (!term.isActive()) {
                return idlePoll;
            }
            quiet = false;
            boolean again = lost;
            lost = true;
            if (again) {
                // The bucket was lost again right after a claim. While Redis is replaced again and again, the scanner
                // must
                // pause between its calls.
                throw e;
            }
            return Duration.ZERO;
        }
    }

    private Duration move() {
        Handover handover = handovers.get();
        long sinceNanos = System.nanoTime();
        ScanResult result = buckets.get(bucket).moveDue(limit, handover);
        if (!result.taken().isEmpty()) {
            listener.taken(bucket, result.taken(), sinceNanos);
        }
        result.topics().forEach(topic -> listener.ready(bucket, topic));
        quiet = isFar(result.nextDueMs(), result.nowMicros() / 1000);
        return pause(result);
    }

    private boolean isFar(long dueMs, long nowMs) {
        return dueMs < 0 || dueMs - nowMs >= 2 * idlePoll.toMillis();
    }

    /** Returns false if this node is not the leader any more. */
    private boolean claim() {
        quiet = false;
        if (had && !term.isConfirmed()) {
            // A leader that was frozen may find the bucket lost. It must not take the bucket from its successor.
            LOG.warn(
                    "Bucket {} must be claimed again, but the registry does not confirm this leader: this node ends its term",
                    bucket);
            term.fenced();
            return false;
        }
        // A call of another thread may have found that the bucket was lost.
        lost |= had && !buckets.isOwned(bucket);
        OwnedBucket owned = buckets.claim(bucket);
        ClaimResult found = owned.found();
        if (found == ClaimResult.LOST) {
            listener.lost(bucket);
        } else if (buckets.isOlder(bucket)) {
            listener.older(bucket);
        }
        owned.ready().keySet().forEach(topic -> listener.ready(bucket, topic));
        had = true;
        return true;
    }

    private Duration pause(ScanResult result) {
        if (result.nextDueMs() < 0) {
            return idlePoll;
        }
        Duration untilDue = Duration.ofMillis(result.nextDueMs()).minus(result.nowMicros(), ChronoUnit.MICROS);
        return untilDue.isNegative() ? Duration.ZERO : min(untilDue, idlePoll);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
