package io.mykit.delay.queue.scan;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves what is due in one bucket to the ready lists, for one term. Used by one thread.
 *
 * <p>It claims the bucket before the first scan, and again when the index lost it. Each move is one script, so a crash
 * leaves a message either in the bucket or in its ready list.
 */
public final class BucketScanner implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(BucketScanner.class);
    private static final int LEASE_PAGE = 1000;

    private final int bucket;
    private final BucketIndex index;
    private final LeaderTerm term;
    private final ScanListener listener;
    private final Handover handover;
    private final int limit;
    private final Duration idlePoll;
    private boolean claimed;
    /** What is under a lease from now on was taken in this term. */
    private boolean gaveBackLeases;
    /** Nothing was due for two polls, so that a look at the top is enough until something comes nearer. */
    private boolean quiet;

    /**
     * @param handover what is taken at once, for the listener
     * @param limit messages moved by one script call
     * @param idlePoll the longest sleep: bounds what a lost wake-up costs, and how long a lost bucket goes unnoticed
     */
    public BucketScanner(
            int bucket,
            BucketIndex index,
            LeaderTerm term,
            ScanListener listener,
            Handover handover,
            int limit,
            Duration idlePoll) {
        this.bucket = bucket;
        this.index = index;
        this.term = term;
        this.listener = listener;
        this.handover = handover;
        this.limit = limit;
        this.idlePoll = idlePoll;
    }

    @Override
    public Duration runOnce() {
        if (!term.isActive()) {
            return idlePoll;
        }
        try {
            if (!claimed) {
                claim();
            }
            // The clocks of the two sides differ by far less than the poll that is between this and being due.
            quiet = quiet && isFar(index.nextDue(bucket, term.epoch()), index.timeMs());
            return quiet ? idlePoll : move();
        } catch (BucketLostException e) {
            claimed = false;
            quiet = false;
            return Duration.ZERO;
        } catch (FencedException e) {
            LOG.warn("Another leader has been here, this term is over: {}", e.getMessage());
            term.fenced();
            return idlePoll;
        }
    }

    private Duration move() {
        ScanResult result = index.moveDue(bucket, term.epoch(), limit, handover);
        if (!result.taken().isEmpty()) {
            listener.taken(bucket, result.taken());
        }
        result.topics().forEach(topic -> listener.ready(bucket, topic));
        quiet = isFar(result.nextDueMs(), result.nowMicros() / 1000);
        return pause(result);
    }

    private boolean isFar(long dueMs, long nowMs) {
        return dueMs < 0 || dueMs - nowMs >= 2 * idlePoll.toMillis();
    }

    private void claim() {
        if (index.claim(bucket, term.epoch()) == ClaimResult.LOST) {
            listener.lost(bucket);
        }
        if (!gaveBackLeases) {
            giveBackLeases();
            gaveBackLeases = true;
        }
        index.ready(bucket).keySet().forEach(topic -> listener.ready(bucket, topic));
        claimed = true;
    }

    /** What an earlier leader took and never settled: it is fenced now, so nobody else will. */
    private void giveBackLeases() {
        Map<String, List<String>> leased = index.leased(bucket, Long.MAX_VALUE, LEASE_PAGE);
        while (!leased.isEmpty()) {
            leased.forEach((topic, ids) -> index.release(bucket, topic, term.epoch(), ids));
            leased = index.leased(bucket, Long.MAX_VALUE, LEASE_PAGE);
        }
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
