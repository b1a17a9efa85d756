package io.mykit.delay.queue.housekeeping;

import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.EXPIRED;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.config.RetentionConfig;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.EndedRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes messages, and rows of the audit, whose retention is over, for one term. One thread.
 *
 * <p>A round walks over each status in which a message can end, one page of each status in turn, and over the audit after that. Each page is at most
 * one small transaction. The loop rests after each page, for at least as long as the page took, so a slow store gets
 * longer rests. A crash leaves each message either with its whole flow log or removed with it.
 *
 * <p>A message that the index still knows stays: without its row, the gate would let the copy in the index pass. For
 * the same reason nothing is removed while the index cannot be asked.
 */
public final class Housekeeper implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);
    private static final Duration INACTIVE = Duration.ofSeconds(1);
    private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);
    private static final Duration MAX_INTERVAL = Duration.ofHours(1);
    private static final Duration MAX_REST = Duration.ofSeconds(10);
    /**
     * The number of rounds in the retention time. A message is kept longer than its retention by at most this part of
     * it.
     */
    private static final int ROUNDS = 100;
    /**
     * The number of those rounds that look at messages which ended before their due time. Most of these messages are young and
     * stay.
     */
    private static final int ROUNDS_AHEAD = 7;

    private final Housekeeping housekeeping;
    private final LeaderTerm term;
    private final RetentionConfig retention;
    private final BucketBackoff buckets;
    private final Deque<RemovalCursor> walks = new ArrayDeque<>();
    private final OldAudit audit;
    private long nextAheadMs = Long.MIN_VALUE;
    private long startedMs;
    private long removed;

    public Housekeeper(Housekeeping housekeeping, LeaderTerm term) {
        this.housekeeping = housekeeping;
        this.term = term;
        this.retention = housekeeping.retention();
        this.buckets = new BucketBackoff("Housekeeping", housekeeping.index());
        this.audit = new OldAudit(housekeeping.store().audit(), retention.batchSize());
    }

    @Override
    public Duration runOnce() {
        if (!term.isActive()) {
            return INACTIVE;
        }
        if (isRoundOver()) {
            beginRound(housekeeping.clock().millis());
        }
        long startedNanos = System.nanoTime();
        int gone = walks.isEmpty() ? audit.removePage() : nextPage();
        return isRoundOver() ? endRound() : rest(gone, Duration.ofNanos(System.nanoTime() - startedNanos));
    }

    private boolean isRoundOver() {
        return walks.isEmpty() && audit.isDone();
    }

    /** Returns the number of removed messages. */
    private int nextPage() {
        RemovalCursor walk = walks.getFirst();
        int gone = onePage(walk);
        walks.removeFirst();
        if (!walk.isEnded()) {
            walks.addLast(walk);
        }
        housekeeping
                .meters()
                .behind(
                        term,
                        walks.stream().mapToLong(RemovalCursor::behindMs).max().orElse(0));
        return gone;
    }

    private void beginRound(long nowMs) {
        startedMs = nowMs;
        removed = 0;
        audit.begin(nowMs - retention.audit().toMillis());
        long keptSinceMs = nowMs - retention.keep().toMillis();
        walks.add(RemovalCursor.overdue(FINISH, keptSinceMs));
        walks.add(RemovalCursor.overdue(DELETE, keptSinceMs));
        walks.add(RemovalCursor.overdue(EXPIRED, keptSinceMs));
        long failedKeptSinceMs = nowMs - retention.keepFailed().toMillis();
        walks.add(RemovalCursor.overdue(FAILED, failedKeptSinceMs));
        if (nowMs >= nextAheadMs) {
            nextAheadMs = nowMs + retention.keep().toMillis() / ROUNDS_AHEAD;
            walks.add(RemovalCursor.ahead(DELETE, keptSinceMs, keptSinceMs));
            // A late settlement ends a message that waits for its next attempt. From the limit on nearly all messages
            // of the last days
            // would be met, and from now on hardly any.
            walks.add(RemovalCursor.ahead(FINISH, keptSinceMs, nowMs));
            walks.add(RemovalCursor.ahead(FAILED, failedKeptSinceMs, nowMs));
        }
    }

    private Duration endRound() {
        if (removed > 0) {
            Duration took = Duration.ofMillis(housekeeping.clock().millis() - startedMs);
            LOG.info("Housekeeping: removed {} ended message(s) in {}", removed, took);
        }
        Duration least = min(min(retention.keep(), retention.keepFailed()), retention.audit())
                .dividedBy(ROUNDS);
        return min(least.compareTo(MIN_INTERVAL) < 0 ? MIN_INTERVAL : least, MAX_INTERVAL);
    }

    /** Returns the number of removed messages. */
    private int onePage(RemovalCursor walk) {
        List<EndedRow> page = walk.page(housekeeping.store(), retention.batchSize());
        List<EndedRow> old = walk.old(page);
        int gone = remove(walk, old);
        walk.pass(page, page.size() < retention.batchSize(), behindMs(walk, old));
        return gone;
    }

    private long behindMs(RemovalCursor walk, List<EndedRow> old) {
        if (old.isEmpty()) {
            return 0;
        }
        long oldestMs = old.stream().mapToLong(EndedRow::updateTimeMs).min().getAsLong();
        return walk.changedBeforeMs() - oldestMs + housekeeping.clock().millis() - startedMs;
    }

    private int remove(RemovalCursor walk, List<EndedRow> old) {
        if (old.isEmpty()) {
            return 0;
        }
        List<String> ids = old.stream().map(EndedRow::id).toList();
        Map<String, Location> known = new HashMap<>();
        List<String> asked = buckets.served(
                ids,
                Function.identity(),
                some -> known.putAll(housekeeping.index().locate(some)));
        List<String> forgotten =
                asked.stream().filter(id -> !known.containsKey(id)).toList();
        int gone = housekeeping.store().remove(walk.status(), walk.changedBeforeMs(), forgotten);
        if (removed == 0 && gone > 0) {
            Instant keptSince = Instant.ofEpochMilli(walk.changedBeforeMs());
            LOG.info("Housekeeping: removing messages that ended before {}", keptSince);
        }
        removed += gone;
        housekeeping.meters().removed(walk.status(), gone);
        return gone;
    }

    private Duration rest(int gone, Duration worked) {
        Duration byRate = Duration.ofSeconds(gone).dividedBy(retention.rate()).minus(worked);
        return min(byRate.compareTo(worked) > 0 ? byRate : worked, MAX_REST);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
