package io.mykit.delay.queue.dispatch;

import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last look at the rows before a delivery. The index decides races while it is whole; but it can be rolled back by
 * a failover, or be handed a row that was read a moment too early. Whatever the index believes, a message whose row is
 * cancelled or finished, or has another version, does not pass.
 *
 * <p>While the store is away everything passes: the index alone decides then, as promised.
 */
final class Gate {
    private final MessageStore store;
    private final StoreBreaker breaker;

    Gate(MessageStore store, StoreBreaker breaker) {
        this.store = store;
        this.breaker = breaker;
    }

    Passage check(List<Leased> taken) {
        if (!breaker.worthTrying()) {
            return Passage.unchecked(taken);
        }
        try {
            Map<String, RowState> rows = new HashMap<>(taken.size() * 2);
            for (RowState row : store.states(taken.stream().map(Leased::id).toList())) {
                rows.put(row.id(), row);
            }
            breaker.succeeded();
            return sort(taken, rows);
        } catch (StoreUnavailableException e) {
            breaker.failed(e);
            return Passage.unchecked(taken);
        }
    }

    private static Passage sort(List<Leased> taken, Map<String, RowState> rows) {
        Passage passage = new Passage(true, rows, new ArrayList<>(taken.size()), new ArrayList<>(), new ArrayList<>());
        for (Leased leased : taken) {
            RowState row = rows.get(leased.id());
            if (row == null) {
                // The store lost the row (a failover, a restored backup), yet somebody was told "accepted".
                passage.open().add(leased);
            } else if (!row.status().isUnfinished()) {
                passage.ended().add(leased);
            } else if (row.version() != leased.message().version()) {
                passage.replaced().add(leased);
            } else {
                passage.open().add(leased);
            }
        }
        return passage;
    }

    /**
     * How a batch was sorted.
     *
     * @param checked whether the store could be asked
     * @param rows what it knew, by id
     * @param open to be delivered
     * @param ended cancelled or finished: to be forgotten
     * @param replaced the row has another version: that is to be scheduled
     */
    record Passage(
            boolean checked, Map<String, RowState> rows, List<Leased> open, List<Leased> ended, List<Leased> replaced) {
        static Passage unchecked(List<Leased> taken) {
            return new Passage(false, Map.of(), taken, List.of(), List.of());
        }
    }
}
