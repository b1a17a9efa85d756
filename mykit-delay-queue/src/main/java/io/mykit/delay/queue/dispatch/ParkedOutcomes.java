package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records outcomes in the store that it could not take when they occurred. One thread.
 *
 * <p>The store takes the outcomes first, then the index removes them. A crash in between only repeats changes for which no
 * row waits any more.
 *
 * <p>Only copies of dead letters need bodies. They are read in bounded parts, and after the other outcomes of the page are
 * recorded. An outcome that the store refuses stays parked and holds no other one up.
 */
final class ParkedOutcomes implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(ParkedOutcomes.class);
    private static final int PAGE = 500;
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    /** More than the clocks of two nodes differ. */
    private static final Duration CLOCKS_APART = Duration.ofMinutes(1);

    private final MessageIndex index;
    private final MessageStore store;
    private final OwnedBuckets owned;
    private final BucketBackoff buckets;
    private final StoreBreaker breaker;
    private final DeadCopies copies;
    /** The outcomes that the next page may have: fewer after a failure, which may be for want of memory. */
    private int page = PAGE;

    ParkedOutcomes(
            MessageIndex index, MessageStore store, OwnedBuckets owned, StoreBreaker breaker, DeadCopies copies) {
        this.index = index;
        this.store = store;
        this.owned = owned;
        this.breaker = breaker;
        this.copies = copies;
        this.buckets = new BucketBackoff("Outcomes", index);
    }

    @Override
    public Duration runOnce() {
        BitSet more = new BitSet();
        // A lost bucket has lost its parked outcomes too. The claim parks those again that this leader keeps.
        buckets.each(owned, bucket -> more.set(bucket.bucket(), recordPage(bucket)));
        return more.isEmpty() ? buckets.pause(INTERVAL) : Duration.ZERO;
    }

    private boolean recordPage(OwnedBucket owner) {
        boolean recorded = false;
        int next = Math.max(1, page / 2);
        try {
            recorded = record(owner);
            // A bucket without outcomes says nothing about the page that failed.
            next = recorded ? Math.min(PAGE, page * 2) : page;
        } finally {
            page = next;
        }
        return recorded;
    }

    /** Returns whether an outcome left the index. */
    private boolean record(OwnedBucket owner) {
        List<ParkedOutcome> parked = owner.parked(page);
        if (parked.isEmpty()) {
            return false;
        }
        Map<String, RowState> rows = new HashMap<>();
        List<String> ids = parked.stream().map(ParkedOutcome::id).toList();
        store.states(ids).forEach(row -> rows.put(row.id(), row));
        // Without its outcome a message may be scheduled again by a row that was read before. So the gate must ask the
        // store from now on.
        breaker.succeeded();
        List<Transition> transitions = new ArrayList<>(parked.size());
        List<String> replaced = new ArrayList<>();
        for (ParkedOutcome outcome : parked) {
            RowState row = rows.get(outcome.id());
            if (row == null) {
                continue;
            }
            if (row.version() != outcome.version() || isOfAnEarlierMessage(outcome, row)) {
                replaced.add(row.id());
            } else if (row.status().isUnfinished()) {
                transitions.add(transition(owner.bucket(), row, outcome));
            } else if (LateCancel.is(row, outcome)) {
                transitions.add(LateCancel.overruled(owner.bucket(), row, outcome));
            }
        }
        // What is not recorded stays parked: the next round reads its row again.
        Set<String> open = new HashSet<>(replaced);
        transitions.forEach(change -> open.add(change.id()));
        try {
            record(transitions, open);
        } finally {
            // After an Error too: the outcomes that are recorded leave the index.
            owner.unpark(ids.stream().filter(id -> !open.contains(id)).toList());
        }
        if (!replaced.isEmpty()) {
            owner.unpark(replaced);
            schedule(replaced);
        }
        return open.size() - replaced.size() < ids.size();
    }

    /** @param open the recorded changes are removed from it */
    private void record(List<Transition> transitions, Set<String> open) {
        List<Transition> others = new ArrayList<>();
        Map<String, Transition> dead = new HashMap<>();
        for (Transition change : transitions) {
            if (change.to() == MessageStatus.FAILED && copies.isUsed()) {
                dead.put(change.id(), change);
            } else {
                others.add(change);
            }
        }
        move(others, Map.of(), open);
        if (!dead.isEmpty()) {
            store.find(List.copyOf(dead.keySet()), BodyBounds.TOGETHER, part -> {
                Map<String, DelayMessage> messages = new HashMap<>();
                part.forEach(row -> messages.put(row.message().id(), row.message()));
                move(messages.keySet().stream().map(dead::get).toList(), messages, open);
            });
        }
    }

    private void move(List<Transition> changes, Map<String, DelayMessage> dead, Set<String> open) {
        if (changes.isEmpty()) {
            return;
        }
        try {
            Set<String> leftOut = copies.move(store, changes, dead);
            changes.stream()
                    .map(Transition::id)
                    .filter(id -> !leftOut.contains(id))
                    .forEach(open::remove);
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            if (changes.size() == 1) {
                LOG.error(
                        "The database refused the parked outcome of message {}; it stays parked and is tried again",
                        changes.get(0).id(),
                        e);
            } else {
                // One of them is the cause. The others must not wait for it.
                changes.forEach(change -> move(List.of(change), dead, open));
            }
        }
    }

    /** A leader may keep an outcome for long. Meanwhile the row may have been removed, and a new message may have its id. */
    private static boolean isOfAnEarlierMessage(ParkedOutcome outcome, RowState row) {
        // An outcome that is dropped in vain costs a duplicate, and one that ends a new message costs the message.
        long insertedMs = row.insertedMs() == 0 ? row.updateTimeMs() : row.insertedMs();
        return insertedMs > outcome.doneMs() + CLOCKS_APART.toMillis();
    }

    /** An older version, or an earlier message with this id, was delivered; the current one still has to be delivered. */
    private void schedule(List<String> replaced) {
        store.find(
                replaced,
                BodyBounds.TOGETHER,
                rows -> index.schedule(rows.stream()
                        .filter(StoredMessage::isForIndex)
                        .map(StoredMessage::message)
                        .toList()));
    }

    private static Transition transition(int bucket, RowState row, ParkedOutcome outcome) {
        Transition.Step done =
                new Transition.Step(outcome.status(), outcome.doneMs(), outcome.detail(), outcome.reason());
        return Transition.ofAttempt(row, outcome.readyMs(), done, "bucket-" + bucket, outcome.attempts());
    }
}
