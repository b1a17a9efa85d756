package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.DelayMessage;
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
 * cancelled, finished or rescheduled does not pass.
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

    Passage check(List<DelayMessage> taken) {
        if (!breaker.worthTrying()) {
            return Passage.unchecked(taken);
        }
        try {
            Map<String, RowState> rows = new HashMap<>(taken.size() * 2);
            for (RowState row :
                    store.states(taken.stream().map(DelayMessage::id).toList())) {
                rows.put(row.id(), row);
            }
            breaker.succeeded();
            return sort(taken, rows);
        } catch (StoreUnavailableException e) {
            breaker.failed(e);
            return Passage.unchecked(taken);
        }
    }

    private static Passage sort(List<DelayMessage> taken, Map<String, RowState> rows) {
        Passage passage = new Passage(new ArrayList<>(taken.size()), new ArrayList<>(), new ArrayList<>(), rows);
        for (DelayMessage message : taken) {
            RowState row = rows.get(message.id());
            if (row == null) {
                // The store lost the row (a failover, a restored backup), yet somebody was told "accepted".
                passage.open().add(message);
            } else if (!row.status().isUnfinished()) {
                passage.ended().add(message.id());
            } else if (row.dueTimeMs() != message.dueTimeMs()) {
                passage.rescheduled().add(message.id());
            } else {
                passage.open().add(message);
            }
        }
        return passage;
    }

    /**
     * How a batch was sorted.
     *
     * @param open to be delivered
     * @param ended cancelled or finished: to be forgotten
     * @param rescheduled the row has another due time: to be scheduled anew
     * @param rows what the store knew; empty if it could not be asked
     */
    record Passage(List<DelayMessage> open, List<String> ended, List<String> rescheduled, Map<String, RowState> rows) {
        static Passage unchecked(List<DelayMessage> taken) {
            return new Passage(taken, List.of(), List.of(), Map.of());
        }
    }
}
