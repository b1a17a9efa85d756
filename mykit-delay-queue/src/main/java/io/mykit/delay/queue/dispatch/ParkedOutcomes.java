package io.mykit.delay.queue.dispatch;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

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
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Records outcomes in the store that it could not take when they occurred. One thread.
 *
 * <p>The store takes the outcomes first, then the index removes them. A crash in between only repeats changes for which no
 * row waits any more.
 */
final class ParkedOutcomes implements Loop {
    private static final int PAGE = 500;
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    /** More than the clocks of two nodes differ. */
    private static final Duration CLOCKS_APART = Duration.ofMinutes(1);

    private final MessageIndex index;
    private final MessageStore store;
    private final OwnedBuckets owned;
    private final BucketBackoff buckets;
    private final DeadCopies copies;

    ParkedOutcomes(MessageIndex index, MessageStore store, OwnedBuckets owned, DeadCopies copies) {
        this.index = index;
        this.store = store;
        this.owned = owned;
        this.copies = copies;
        this.buckets = new BucketBackoff("Outcomes", index);
    }

    @Override
    public Duration runOnce() {
        BitSet more = new BitSet();
        // A lost bucket has lost its parked outcomes too: its messages are restored and delivered again.
        buckets.each(owned, bucket -> more.set(bucket.bucket(), record(bucket)));
        return more.isEmpty() ? buckets.pause(INTERVAL) : Duration.ZERO;
    }

    private boolean record(OwnedBucket owner) {
        List<ParkedOutcome> parked = owner.parked(PAGE);
        if (parked.isEmpty()) {
            return false;
        }
        Map<String, RowState> rows = new HashMap<>();
        List<String> ids = parked.stream().map(ParkedOutcome::id).toList();
        store.states(ids).forEach(row -> rows.put(row.id(), row));
        List<Transition> transitions = new ArrayList<>(parked.size());
        List<String> replaced = new ArrayList<>();
        for (ParkedOutcome outcome : parked) {
            RowState row = rows.get(outcome.id());
            if (row == null || isOfAnEarlierMessage(outcome, row)) {
                continue;
            }
            if (row.version() != outcome.version()) {
                replaced.add(row.id());
            } else if (row.status().isUnfinished()) {
                transitions.add(transition(owner.bucket(), row, outcome));
            } else if (LateCancel.is(row, outcome)) {
                transitions.add(LateCancel.overruled(owner.bucket(), row, outcome));
            }
        }
        Set<String> changed = transitions.isEmpty() ? Set.of() : copies.move(store, transitions, dead(transitions));
        // An outcome whose row changed just now stays parked, and the next round reads the row again.
        owner.unpark(ids.stream().filter(id -> !changed.contains(id)).toList());
        schedule(replaced);
        return true;
    }

    /** A leader may keep an outcome for long. Meanwhile the row may have been removed, and a new message may have its id. */
    private static boolean isOfAnEarlierMessage(ParkedOutcome outcome, RowState row) {
        // An outcome that is dropped in vain costs a duplicate, and one that ends a new message costs the message.
        long insertedMs = row.insertedMs() == 0 ? row.updateTimeMs() : row.insertedMs();
        return insertedMs > outcome.doneMs() + CLOCKS_APART.toMillis();
    }

    private Map<String, DelayMessage> dead(List<Transition> transitions) {
        List<String> ids = transitions.stream()
                .filter(change -> change.to() == MessageStatus.FAILED)
                .map(Transition::id)
                .toList();
        return store.find(ids).stream().map(StoredMessage::message).collect(toMap(DelayMessage::id, identity()));
    }

    /** An older version was delivered while the store was away; the current version still has to be delivered. */
    private void schedule(List<String> replaced) {
        if (!replaced.isEmpty()) {
            store.find(
                    replaced,
                    BodyBounds.TOGETHER,
                    rows -> index.schedule(rows.stream()
                            .filter(StoredMessage::isForIndex)
                            .map(StoredMessage::message)
                            .toList()));
        }
    }

    private static Transition transition(int bucket, RowState row, ParkedOutcome outcome) {
        Transition.Step done =
                new Transition.Step(outcome.status(), outcome.doneMs(), outcome.detail(), outcome.reason());
        return Transition.ofAttempt(row, outcome.readyMs(), done, "bucket-" + bucket, outcome.attempts());
    }
}
