package io.mykit.delay.queue.dispatch;

import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the store what became of batches, in one transaction, and then the index. For one term; thread-safe.
 *
 * <p>A crash before the record makes duplicates, never a loss, when the leases are given back; a crash between record
 * and settle is harmless, because the gate sees the rows. What the store does not take, and what became of rows that had
 * moved on since the gate, is parked in the index, where {@link ParkedOutcomes} finds it.
 */
final class OutcomeCommit {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeCommit.class);

    private final MessageStore store;
    private final TermIndex index;
    private final StoreBreaker breaker;
    private final DispatchMeters meters;

    OutcomeCommit(MessageStore store, TermIndex index, StoreBreaker breaker, DispatchMeters meters) {
        this.store = store;
        this.index = index;
        this.breaker = breaker;
        this.meters = meters;
    }

    /**
     * What is to stay in the index is left to the caller.
     *
     * @throws RuntimeException if the index could not be told all; the rest is left to its lease
     */
    void write(List<BatchOutcomes> batches) {
        long startedNanos = System.nanoTime();
        Optional<Set<String>> left = store(batches);
        Map<Integer, List<String>> settled = new TreeMap<>();
        Map<Integer, List<ParkedOutcome>> parked = new TreeMap<>();
        for (BatchOutcomes batch : batches) {
            boolean asked = left.isPresent() && batch.checked();
            batch.ended()
                    .forEach((bucket, ended) -> ended.forEach(outcome -> {
                        if (asked && !left.get().contains(outcome.id())) {
                            settled.computeIfAbsent(bucket, b -> new ArrayList<>())
                                    .add(outcome.id());
                        } else {
                            parked.computeIfAbsent(bucket, b -> new ArrayList<>())
                                    .add(outcome);
                        }
                    }));
        }
        try {
            index.settle(settled);
        } finally {
            index.park(parked);
            meters.recorded(System.nanoTime() - startedNanos);
        }
    }

    /** The ids whose rows had moved on since they were looked at; empty if the store could not be told. */
    private Optional<Set<String>> store(List<BatchOutcomes> batches) {
        List<Transition> transitions = new ArrayList<>();
        batches.forEach(batch -> transitions.addAll(batch.transitions()));
        if (transitions.isEmpty()) {
            return Optional.of(Set.of());
        }
        if (!breaker.worthTrying()) {
            return Optional.empty();
        }
        try {
            return Optional.of(store.move(transitions));
        } catch (StoreUnavailableException e) {
            breaker.failed(e);
            return Optional.empty();
        } catch (RuntimeException e) {
            LOG.error("The store refuses what became of {} messages: it is kept in the index", transitions.size(), e);
            return Optional.empty();
        }
    }
}
