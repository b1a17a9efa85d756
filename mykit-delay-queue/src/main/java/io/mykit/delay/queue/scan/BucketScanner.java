package io.mykit.delay.queue.scan;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.NotOwnedException;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scans of one bucket, for one term: when the bucket is looked at next, and whether it must be claimed before. {@link ScanLoop}
 * makes the calls. Any thread may call {@link #wake}; the thread of the loop makes all other calls.
 *
 * <p>The scanner claims the bucket before the first scan. It claims the bucket again when the index lost it, when the
 * bucket came back older, or when the index did not answer. The claim gives back the leases that the leader does not know
 * ({@link OwnedBuckets}), and the scanner then offers all ready lists to the listener.
 */
final class BucketScanner {
    private static final Logger LOG = LoggerFactory.getLogger(BucketScanner.class);
    /** A bucket that fails is tried again within a second. */
    private static final Backoff AFTER_FAILURE = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(1));

    private final int bucket;
    private final LeaderTerm term;
    private final OwnedBuckets buckets;
    private final ScanListener listener;
    private final ScanSettings settings;
    private final AtomicBoolean woken = new AtomicBoolean();
    private long nextNanos;
    /** The number of looks that failed in a row. */
    private int failures;
    /** This term has claimed the bucket at least once. */
    private boolean had;
    /** A claim is not complete: the ready lists of the bucket were not offered to the listener yet. */
    private boolean claiming;
    /** The last look found that the bucket must be claimed again. */
    private boolean lost;
    /**
     * No message is due within the next two polls. So a read of the first due time is enough until an earlier message
     * comes.
     */
    private boolean quiet;

    /** @param nowNanos the time of the first look */
    BucketScanner(
            int bucket,
            LeaderTerm term,
            OwnedBuckets buckets,
            ScanListener listener,
            ScanSettings settings,
            long nowNanos) {
        this.bucket = bucket;
        this.term = term;
        this.buckets = buckets;
        this.listener = listener;
        this.settings = settings;
        this.nextNanos = nowNanos;
    }

    int bucket() {
        return bucket;
    }

    /** An earlier message has come: the next round looks at this bucket. */
    void wake() {
        woken.set(true);
    }

    /**
     * Begins a look if its time has come. A poll of a quiet bucket joins a round that comes a little earlier, so quiet buckets are
     * polled together.
     *
     * @return whether this round looks at the bucket
     */
    boolean begin(long nowNanos) {
        long earlyNanos = quiet ? settings.idlePoll().toNanos() / 2 : 0;
        // The flag is reset before the look: a message that comes after the look is not missed.
        return woken.getAndSet(false) || nextNanos - nowNanos <= earlyNanos;
    }

    /** The time until the next look; not positive = now. */
    long untilNextNanos(long nowNanos) {
        return woken.get() ? 0 : nextNanos - nowNanos;
    }

    /** The look is left to the next round. */
    void leave() {
        woken.set(true);
    }

    /** Whether the bucket is not owned, may have leases that the leader does not know, or was not claimed to the end. */
    boolean mustClaim() {
        return claiming || !buckets.isOwned(bucket) || buckets.isSuspect(bucket);
    }

    /** Whether a read of the first due time is enough. */
    boolean isQuiet() {
        return quiet;
    }

    boolean isFailing() {
        return failures > 0;
    }

    /**
     * Claims the bucket.
     *
     * @return false if this node is not the leader any more
     */
    boolean claim(long nowNanos) {
        quiet = false;
        claiming = true;
        if (had && !term.isConfirmed()) {
            // A leader that was frozen may find the bucket lost. It must not take the bucket from its successor.
            LOG.warn(
                    "Bucket {} must be claimed again, but the registry does not confirm this leader: this node ends its term",
                    bucket);
            term.fenced();
            rest(nowNanos, settings.idlePoll());
            return false;
        }
        // A call of another thread may have found that the bucket was lost.
        lost |= had && !buckets.isOwned(bucket);
        OwnedBucket owned = buckets.claim(bucket);
        had = true;
        ClaimResult found = owned.found();
        if (found == ClaimResult.LOST) {
            listener.lost(bucket);
        } else if (buckets.isOlder(bucket)) {
            listener.older(bucket);
        }
        owned.readyTopics().forEach(topic -> listener.ready(bucket, topic));
        claiming = false;
        return true;
    }

    /**
     * Notes the due time of the first message.
     *
     * @return whether the bucket must be scanned
     */
    boolean looked(long dueMs, long nowMs, long nowNanos) {
        quiet = settings.isFar(dueMs, nowMs);
        if (quiet) {
            succeeded();
            rest(nowNanos, settings.idlePoll());
        }
        return !quiet;
    }

    /** Notes the result of a scan. */
    void scanned(ScanResult result, long nowNanos) {
        succeeded();
        quiet = settings.isFar(result.nextDueMs(), result.nowMicros() / 1000);
        rest(nowNanos, pause(result));
    }

    /**
     * Notes that a call failed.
     *
     * @return false if the bucket is only to be claimed again
     */
    boolean failed(RuntimeException failure, long nowNanos) {
        quiet = false;
        if (failure instanceof NotOwnedException) {
            if (!term.isActive()) {
                rest(nowNanos, settings.idlePoll());
                return false;
            }
            if (!lost) {
                lost = true;
                rest(nowNanos, Duration.ZERO);
                return false;
            }
            // The bucket was lost again right after a claim. While Redis is replaced again and again, the scanner must
            // pause between its calls.
        }
        failures++;
        rest(nowNanos, AFTER_FAILURE.after(failures));
        return true;
    }

    private void succeeded() {
        failures = 0;
        lost = false;
    }

    private void rest(long nowNanos, Duration howLong) {
        nextNanos = nowNanos + howLong.toNanos();
    }

    private Duration pause(ScanResult result) {
        if (result.nextDueMs() < 0) {
            return settings.idlePoll();
        }
        Duration untilDue = Duration.ofMillis(result.nextDueMs()).minus(result.nowMicros(), ChronoUnit.MICROS);
        return untilDue.isNegative() ? Duration.ZERO : min(untilDue, settings.idlePoll());
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
