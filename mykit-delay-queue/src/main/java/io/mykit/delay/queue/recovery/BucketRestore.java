package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings lost buckets back from the store, the most urgent rows first, one page a round. {@link #lost} may be called
 * from any thread, the loop is run by one.
 *
 * <p>The bucket's marker in the index is taken away only at the end: a leader that dies in the middle leaves it, and the
 * next one begins anew. Memory stays flat, whatever the number of rows.
 */
public final class BucketRestore implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(BucketRestore.class);
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final int PROGRESS_EVERY = 100;

    private final MessageStore store;
    private final BucketIndex index;
    private final LeaderTerm term;
    private final int pageSize;
    private final Set<Integer> reported = ConcurrentHashMap.newKeySet();
    private final Set<Integer> buckets = new TreeSet<>();
    private final Deque<RowPages<StoredMessage>> walks = new ArrayDeque<>();
    private long pages;
    private long restored;

    public BucketRestore(MessageStore store, BucketIndex index, LeaderTerm term, int pageSize) {
        this.store = store;
        this.index = index;
        this.term = term;
        this.pageSize = pageSize;
    }

    /** This bucket must be restored. Wake the loop after calling it. */
    public void lost(int bucket) {
        reported.add(bucket);
    }

    @Override
    public Duration runOnce() {
        if (!term.isActive()) {
            return IDLE;
        }
        if (!reported.isEmpty()) {
            begin();
        }
        if (walks.isEmpty()) {
            return IDLE;
        }
        List<StoredMessage> page = walks.getFirst().next();
        schedule(page);
        if (page.isEmpty()) {
            walks.removeFirst();
            if (walks.isEmpty()) {
                end();
            }
        }
        return Duration.ZERO;
    }

    /** Also when a walk is under way: it begins anew, with the buckets that were lost meanwhile. */
    private void begin() {
        Set<Integer> more = Set.copyOf(reported);
        buckets.addAll(more);
        reported.removeAll(more);
        walks.clear();
        pages = 0;
        for (MessageStatus status : List.of(MessageStatus.READY, MessageStatus.DELAY)) {
            walks.add(RowPages.messages(store, status, pageSize));
        }
        LOG.info("Buckets {} are new or were lost; their messages are restored from the store", buckets);
    }

    private void schedule(List<StoredMessage> page) {
        List<DelayMessage> ours = page.stream()
                .map(StoredMessage::message)
                .filter(message -> buckets.contains(index.bucketOf(message.id())))
                .toList();
        if (ours.isEmpty()) {
            return;
        }
        List<ScheduleOutcome> outcomes = index.schedule(ours);
        if (outcomes.contains(ScheduleOutcome.UNAVAILABLE)) {
            // Begin anew after the backoff: what is scheduled already is left alone by the index.
            reported.addAll(buckets);
            throw new IndexUnavailableException("the index failed during a restore", null);
        }
        restored += outcomes.stream()
                .filter(outcome -> outcome == ScheduleOutcome.SCHEDULED)
                .count();
        pages++;
        if (pages % PROGRESS_EVERY == 0) {
            LOG.info("Restoring buckets {}: {} messages so far", buckets, restored);
        }
    }

    private void end() {
        try {
            buckets.forEach(bucket -> index.markRestored(bucket, term.epoch()));
            LOG.info("Buckets {} are whole again: {} messages restored in this term", buckets, restored);
        } catch (BucketLostException e) {
            // Lost once more meanwhile: its scanner claims and reports it again.
            LOG.warn("{} during its restore", e.getMessage());
        } catch (FencedException e) {
            term.fenced();
        }
        buckets.clear();
    }
}
