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
 * Moves what is due in one bucket to the ready lists, for one term. Used by one thread.
 *
 * <p>It claims the bucket before the first scan, and again when the index lost it, came back older, or did not answer: then
 * leases that the leader does not know are given back ({@link OwnedBuckets}), and all ready lists offered. Each move is one script,
 * so a crash leaves a message either in the bucket or in its ready list.
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
    /** This term has had the bucket before. */
    private boolean had;
    /** The last round found that the bucket must be claimed anew. */
    private boolean lost;
    /** Nothing was due for two polls, so that a look at the top is enough until something comes nearer. */
    private boolean quiet;

    /**
     * @param handovers what the next scan may take at once, for the listener
     * @param limit messages moved by one script call
     * @param idlePoll the longest sleep: bounds what a lost wake-up costs, and how long a lost bucket goes unnoticed
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
            // The clocks of the two sides differ by far less than the poll that is between this and being due.
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
                // Right after it was claimed: a server that is replaced all the time must not be asked without a pause.
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

    /** False if this node leads no more. */
    private boolean claim() {
        quiet = false;
        if (had && !term.isConfirmed()) {
            // A leader that was frozen may find the bucket lost, and must not take it from its successor.
            LOG.warn("Bucket {} is to be claimed again, and the registry does not know this leader any more", bucket);
            term.fenced();
            return false;
        }
        // Another thread's call may have found that the bucket was lost.
        lost |= had && !buckets.isOwned(bucket);
        OwnedBucket owned = buckets.claim(bucket);
        ClaimResult found = owned.found();
        if (found == ClaimResult.LOST) {
            listener.lost(bucket);
        } else if (found == ClaimResult.OLDER || lost) {
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
