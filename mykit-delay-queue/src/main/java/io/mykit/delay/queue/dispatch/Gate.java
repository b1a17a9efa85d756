package io.mykit.delay.queue.dispatch;

import io.mykit.delay.queue.store.CopyState;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last check of the rows before a delivery. While the index is complete, it decides races. But a failover can roll the
 * index back, or a row that was read a moment too early can be scheduled. So a message does not pass if its row is cancelled,
 * finished, or has another version, whatever the index says. If the row is due later, the message waits. Thread-safe.
 *
 * <p>While the store is away, every message passes: the index decides alone, as the guarantees say.
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
        Passage passage = new Passage(
                true, rows, new ArrayList<>(taken.size()), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (Leased leased : taken) {
            RowState row = rows.get(leased.id());
            switch (CopyState.of(leased.message(), row)) {
                case CURRENT -> passage.open().add(leased);
                case ENDED -> passage.ended().add(leased);
                case REPLACED -> passage.replaced().add(leased);
                case LATER -> passage.later().add(leased.retriedAt(row.dueTimeMs()));
            }
        }
        return passage;
    }

    /**
     * The result of the check.
     *
     * @param checked whether the store answered
     * @param rows the rows that the store knows, by id
     * @param open messages to be delivered
     * @param ended messages that are cancelled or finished; the index removes them
     * @param replaced messages whose row has another version; that version is scheduled
     * @param later messages with the later due time of their row; they wait for their next attempt
     */
    record Passage(
            boolean checked,
            Map<String, RowState> rows,
            List<Leased> open,
            List<Leased> ended,
            List<Leased> replaced,
            List<Leased> later) {
        static Passage unchecked(List<Leased> taken) {
            return new Passage(false, Map.of(), taken, List.of(), List.of(), List.of());
        }
    }
}
