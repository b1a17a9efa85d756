package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.MessagePage;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Loads messages that wait in the store into the index before their due time. One thread.
 *
 * <p>The loader claims rows in the store first (a conditional update), so that a cancel finds a message in exactly one place.
 * A crash between claim and scheduling leaves rows in DELAY that the index does not know. The next leader's auditor schedules
 * them. If the answer to a claim is lost, the next round looks for its rows.
 */
public final class Loader implements Loop {
    private static final String THREAD = "loader";
    /**
     * One round of so many looks for rows that a restore left behind. Such rows are rare, and some seconds do not matter for
     * them.
     */
    private static final int RESTORE_EVERY = 5;
    /** The wait after a round without a row, in intervals. */
    private static final int QUIET_INTERVALS = 2;

    private final Recovery recovery;
    private final MessageStore store;
    private final MessageIndex index;
    private final InstantSource clock;
    private final LeaderTerm term;
    private final Duration interval;
    private final PageSize pageSize;
    private final BucketBackoff buckets;
    private final MissingRows missing;
    private final WaitingRows waiting;
    /** Rows that an interrupted restore left behind. */
    private final WaitingRows unrestored;

    /** Rows that may be claimed and not scheduled: the answer to a transaction was lost. */
    private List<RowState> unsure = List.of();

    private boolean unsureRefused;
    /** Whether the last round found rows. While Redis is away, these are not read again and again. */
    private boolean found = true;

    private int untilRestore;
    /** Whether rows still wait after this round. */
    private boolean more;
    /** How many rows the index took. */
    private long loaded;

    public Loader(Recovery recovery, LeaderTerm term) {
        this.recovery = recovery;
        this.store = recovery.store();
        this.index = recovery.index();
        this.clock = recovery.clock();
        this.term = term;
        this.interval = recovery.config().interval();
        this.pageSize = new PageSize(recovery.config().pageSize());
        this.buckets = new BucketBackoff("Loader", index);
        this.missing = new MissingRows(recovery, RecoveryKind.LOAD, buckets, bucket -> unsureRefused = true);
        this.waiting = new WaitingRows(store, MessageStatus.WAIT_PUT);
        this.unrestored = new WaitingRows(store, MessageStatus.RESTORE);
    }

    @Override
    public Duration runOnce() {
        if (!term.isActive() || ((found || !unsure.isEmpty()) && isIndexAway())) {
            // The first page follows within an interval after the return of the index.
            return interval;
        }
        found = false;
        more = false;
        long before = loaded;
        try {
            scheduleUnsure();
            load(waiting);
            loadRestore();
            if (more) {
                // If no row of a page could be loaded, the walk continues slowly.
                return loaded > before ? Duration.ZERO : interval.dividedBy(10);
            }
            return found ? interval : interval.multipliedBy(QUIET_INTERVALS);
        } catch (RuntimeException | Error e) {
            pageSize.restart();
            throw e;
        }
    }

    /** Schedules rows of which it is not known whether they were claimed, or given back. */
    private void scheduleUnsure() {
        if (!unsure.isEmpty()) {
            unsureRefused = false;
            missing.schedule(unsure);
            unsure = unsureRefused ? unsure : List.of();
        }
    }

    private void loadRestore() {
        if (untilRestore > 0) {
            untilRestore--;
        } else {
            untilRestore = load(unrestored) ? 0 : RESTORE_EVERY - 1;
        }
    }

    /** Loads a page, and returns whether it had rows, loaded or not. */
    private boolean load(WaitingRows from) {
        long dueBeforeMs = recovery.horizon().endMs(recovery.steady().millis());
        Set<Integer> out = from.isWhole() ? Set.of() : notServed();
        MessagePage page = from.page(out, dueBeforeMs, pageSize.next());
        more |= !page.last();
        boolean hasRows = !page.rows().isEmpty();
        found |= hasRows;
        if (hasRows && out.isEmpty()) {
            out = notServed();
        }
        Set<Integer> leftOut = new HashSet<>();
        List<StoredMessage> rows = new ArrayList<>(page.rows().size());
        for (StoredMessage row : page.rows()) {
            int bucket = index.bucketOf(row.message().id());
            if (out.contains(bucket)) {
                leftOut.add(bucket);
            } else {
                rows.add(row);
            }
        }
        boolean vetoed = !rows.isEmpty() && load(rows);
        from.pass(page, leftOut, vetoed);
        return hasRows;
    }

    /** Claims and schedules the rows, and returns whether some of them are vetoed and stay. */
    private boolean load(List<StoredMessage> rows) {
        unsure = rows.stream().map(StoredMessage::state).toList();
        Set<String> lost = store.move(transitions(rows, MessageStatus.DELAY, "loaded into Redis"));
        List<StoredMessage> claimed =
                rows.stream().filter(row -> !lost.contains(row.message().id())).toList();
        List<ScheduleOutcome> outcomes = schedule(claimed);
        unsure = List.of();
        recovery.board().seen(RecoveryKind.LOAD, rows.size());
        if (outcomes.contains(ScheduleOutcome.UNAVAILABLE)) {
            pageSize.restart();
        } else {
            pageSize.read(rows);
        }
        return outcomes.contains(ScheduleOutcome.VETOED);
    }

    private boolean isIndexAway() {
        return index.refusing().size() == index.buckets();
    }

    /**
     * Returns the buckets that are not served now. The loader asks before it claims: while the index is away or full, rows
     * must not be claimed and given back again and again.
     */
    private Set<Integer> notServed() {
        Set<Integer> out = index.refusing();
        for (int bucket = 0; bucket < index.buckets(); bucket++) {
            if (buckets.isResting(bucket)) {
                out.add(bucket);
            }
        }
        return out;
    }

    /** Schedules the claimed rows, and gives back those that the index does not take. */
    private List<ScheduleOutcome> schedule(List<StoredMessage> claimed) {
        List<DelayMessage> messages =
                claimed.stream().map(StoredMessage::message).toList();
        List<ScheduleOutcome> outcomes = index.schedule(messages);
        List<StoredMessage> refused = new ArrayList<>();
        Set<Integer> failed = new HashSet<>();
        for (int i = 0; i < outcomes.size(); i++) {
            ScheduleOutcome outcome = outcomes.get(i);
            if (outcome == ScheduleOutcome.UNAVAILABLE || outcome == ScheduleOutcome.VETOED) {
                StoredMessage row = claimed.get(i);
                refused.add(new StoredMessage(row.message(), MessageStatus.DELAY, row.attempts(), row.updateTimeMs()));
            }
            if (outcome == ScheduleOutcome.UNAVAILABLE) {
                failed.add(index.bucketOf(messages.get(i).id()));
            }
        }
        recovery.scheduling().forgetEnded(messages);
        recovery.board().scheduled(RecoveryKind.LOAD, outcomes.size() - refused.size());
        loaded += outcomes.size() - refused.size();
        if (!refused.isEmpty()) {
            store.move(transitions(refused, MessageStatus.WAIT_PUT, "Redis did not take the message"));
            rest(
                    failed,
                    new IndexUnavailableException(
                            refused.size() + " message(s) could not be loaded into Redis and wait in the database",
                            null));
        } else {
            messages.forEach(message -> buckets.worked(index.bucketOf(message.id())));
        }
        return outcomes;
    }

    /** Lets the buckets that failed rest. If no other bucket is left, the loader as a whole rests. */
    private void rest(Set<Integer> failed, IndexUnavailableException failure) {
        if (failed.isEmpty()) {
            // The messages are vetoed, which lasts only as long as a cancel or a replacement.
            return;
        }
        failed.forEach(bucket -> buckets.failed(bucket, failure));
        buckets.report(failure);
        if (failed.size() == index.buckets()) {
            throw failure;
        }
    }

    private List<Transition> transitions(List<StoredMessage> rows, MessageStatus to, String detail) {
        List<Transition.Step> steps = List.of(new Transition.Step(to, clock.millis(), detail));
        return rows.stream()
                .map(row -> Transition.of(row.state(), steps, THREAD))
                .toList();
    }
}
