package io.mykit.delay.queue.dispatch;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the outcomes of batches in the store, in one transaction, and then in the index. One object for each term;
 * thread-safe.
 *
 * <p>A crash before the record causes duplicates, never a loss, when a leader gives the leases back. A crash between record and settle is
 * harmless, because the gate sees the rows. A row that changed after the gate gets its outcome nevertheless, if it has the same
 * version and has not ended ({@link ChangedRow}). Two kinds of outcomes are parked in the index: those that the store does not
 * take, and those of rows that have another version or have ended. {@link ParkedOutcomes} records them later.
 */
final class OutcomeCommit {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeCommit.class);

    private final MessageStore store;
    private final OwnedBuckets buckets;
    private final StoreBreaker breaker;
    private final DispatchMeters meters;
    private final DeadCopies copies;

    OutcomeCommit(
            MessageStore store, OwnedBuckets buckets, StoreBreaker breaker, DispatchMeters meters, DeadCopies copies) {
        this.store = store;
        this.buckets = buckets;
        this.breaker = breaker;
        this.meters = meters;
        this.copies = copies;
    }

    /**
     * Writes the outcomes of messages that ended or are tried again. The caller gives back the other messages.
     *
     * @throws RuntimeException if the index did not take all outcomes; the messages of the others stay under their leases
     */
    void write(List<BatchOutcomes> batches) {
        long startedNanos = System.nanoTime();
        Optional<Left> left = store(batches).map(changed -> settleChanged(batches, changed));
        Map<Integer, List<String>> settled = new TreeMap<>();
        Map<Integer, List<ParkedOutcome>> parked = new TreeMap<>();
        List<Leased> waiting = new ArrayList<>();
        Set<String> attempted = new HashSet<>();
        for (BatchOutcomes batch : batches) {
            boolean asked = left.isPresent() && batch.checked();
            batch.ended()
                    .forEach((bucket, ended) -> ended.forEach(outcome -> {
                        if (asked && !left.get().ids().contains(outcome.id())) {
                            settled.computeIfAbsent(bucket, b -> new ArrayList<>())
                                    .add(outcome.id());
                        } else {
                            parked.computeIfAbsent(bucket, b -> new ArrayList<>())
                                    .add(outcome);
                        }
                    }));
            for (Retry retry : batch.retries()) {
                String id = retry.taken().id();
                boolean leaves = retry.leaves() && asked && !left.get().ids().contains(id);
                if (leaves || left.map(Left::ended).orElse(Set.of()).contains(id)) {
                    settled.computeIfAbsent(retry.taken().bucket(), b -> new ArrayList<>())
                            .add(id);
                } else {
                    waiting.add(waiting(retry, left));
                    if (retry.attempted()) {
                        attempted.add(id);
                    }
                }
            }
        }
        try {
            buckets.settle(settled);
        } finally {
            buckets.park(parked);
            buckets.postpone(Leased.byBucket(waiting), attempted);
            meters.recorded(System.nanoTime() - startedNanos);
        }
    }

    /**
     * Records outcomes in rows that changed, and overrules late cancels. After a failover of Redis a parked outcome would be lost.
     *
     * @param changed the ids whose rows changed after the gate
     */
    private Left settleChanged(List<BatchOutcomes> batches, Set<String> changed) {
        if (changed.isEmpty()) {
            return Left.NONE;
        }
        Set<String> left = new HashSet<>(changed);
        Set<String> ended = new HashSet<>();
        try {
            Map<String, RowState> rows = store.states(changed).stream().collect(toMap(RowState::id, identity()));
            rows.values().stream().filter(row -> !row.status().isUnfinished()).forEach(row -> ended.add(row.id()));
            List<Transition> changes = new ArrayList<>();
            Map<String, DelayMessage> dead = new HashMap<>();
            for (BatchOutcomes batch : batches) {
                dead.putAll(batch.dead());
                for (Transition outcome : batch.transitions()) {
                    if (rows.containsKey(outcome.id())) {
                        ChangedRow row = new ChangedRow(rows.get(outcome.id()));
                        if (row.has(outcome)) {
                            left.remove(outcome.id());
                        } else if (row.takes(outcome)) {
                            changes.add(row.with(outcome, batch.readyMs()));
                        }
                    }
                }
                batch.ended().forEach((bucket, outcomes) -> outcomes.stream()
                        .filter(outcome -> rows.containsKey(outcome.id()))
                        .filter(outcome -> LateCancel.is(rows.get(outcome.id()), outcome))
                        .forEach(
                                outcome -> changes.add(LateCancel.overruled(bucket, rows.get(outcome.id()), outcome))));
            }
            Set<String> recorded = changes.stream().map(Transition::id).collect(toSet());
            if (!recorded.isEmpty()) {
                recorded.removeAll(copies.move(store, changes, dead));
                left.removeAll(recorded);
            }
        } catch (StoreUnavailableException e) {
            LOG.debug("Outcomes of messages whose rows changed are parked: the database is away", e);
        } catch (RuntimeException e) {
            LOG.error(
                    "The database refused outcomes of messages whose rows changed. They are parked in Redis and tried again; see below",
                    e);
        }
        return new Left(left, ended);
    }

    /**
     * A message whose row changed after the gate falls due again at once, so that the gate looks at the row. If the store did
     * not answer, the message waits for its gap in the index alone.
     */
    private static Leased waiting(Retry retry, Optional<Left> left) {
        boolean changed =
                left.isPresent() && left.get().ids().contains(retry.taken().id());
        return changed ? retry.taken() : retry.next();
    }

    /** Returns the ids whose rows changed after the gate; empty if the store did not take the outcomes. */
    private Optional<Set<String>> store(List<BatchOutcomes> batches) {
        List<Transition> transitions = new ArrayList<>();
        Map<String, DelayMessage> dead = new HashMap<>();
        for (BatchOutcomes batch : batches) {
            transitions.addAll(batch.transitions());
            dead.putAll(batch.dead());
        }
        if (transitions.isEmpty()) {
            return Optional.of(Set.of());
        }
        if (!breaker.worthTrying()) {
            return Optional.empty();
        }
        try {
            Optional<Set<String>> changed = Optional.of(copies.move(store, transitions, dead));
            breaker.succeeded();
            return changed;
        } catch (StoreUnavailableException e) {
            breaker.failed(e);
            return Optional.empty();
        } catch (RuntimeException e) {
            LOG.error(
                    "The database refused the outcomes of {} messages. They are parked in Redis and tried again; see below",
                    transitions.size(),
                    e);
            return Optional.empty();
        }
    }

    /**
     * What is left after the record.
     *
     * @param ids the messages whose rows changed after the gate and do not have the outcomes
     * @param ended the messages whose rows changed after the gate and had ended then. No attempt of theirs is repeated: a consumer may
     *     have acknowledged the message at the end of its hold
     */
    private record Left(Set<String> ids, Set<String> ended) {
        static final Left NONE = new Left(Set.of(), Set.of());
    }
}
