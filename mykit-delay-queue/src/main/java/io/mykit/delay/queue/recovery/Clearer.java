package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/**
 * Cancels everything that is unfinished. Thread-safe; blocks.
 *
 * <p>Page by page: out of the index first, which tells what is being delivered at this moment and is left alone, then
 * DELETE in the store. A crash in between leaves rows that the auditor schedules again; the operator was not answered.
 */
public final class Clearer {
    private static final List<MessageStatus> UNFINISHED =
            List.of(MessageStatus.WAIT_PUT, MessageStatus.RESTORE, MessageStatus.DELAY, MessageStatus.READY);

    private final MessageStore store;
    private final BucketIndex index;
    private final InstantSource clock;
    private final int pageSize;

    public Clearer(MessageStore store, BucketIndex index, InstantSource clock, int pageSize) {
        this.store = store;
        this.index = index;
        this.clock = clock;
        this.pageSize = pageSize;
    }

    /**
     * Every message unfinished at the call becomes DELETE and leaves the index; what is pushed meanwhile survives, and
     * so does what is being delivered at that moment.
     *
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE or INDEX_UNAVAILABLE
     */
    public ClearReport clearAll() {
        long begunMs = clock.millis();
        long cleared = 0;
        for (MessageStatus status : UNFINISHED) {
            RowPages<RowState> pages = RowPages.states(store, status, Long.MAX_VALUE, pageSize);
            for (List<RowState> rows = pages.next(); !rows.isEmpty(); rows = pages.next()) {
                cleared += clear(rows.stream()
                        .filter(row -> row.createTimeMs() <= begunMs)
                        .toList());
            }
        }
        return new ClearReport(cleared, clock.millis() - begunMs);
    }

    private int clear(List<RowState> rows) {
        if (rows.isEmpty()) {
            return 0;
        }
        Set<String> beingDelivered = index.purge(rows.stream().map(RowState::id).toList());
        List<Transition.Step> deleted =
                List.of(new Transition.Step(MessageStatus.DELETE, clock.millis(), "cleared by an operator"));
        List<Transition> transitions = rows.stream()
                .filter(row -> !beingDelivered.contains(row.id()))
                .map(row -> new Transition(row.id(), row.status(), deleted, "clear", row.attempts()))
                .toList();
        return transitions.size() - store.move(transitions).size();
    }
}
