package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Puts messages back from the store into the index at an operator's word. Thread-safe; blocks. Any node may do it, at
 * any time, beside pushes, cancels and dispatch.
 *
 * <p>Nothing is cleared first, and what the index knows is left alone. Dying in the middle leaves every row in a state
 * that loader or auditor take up; calling again goes on where it matters.
 */
public final class Restorer {
    /** The most urgent first. */
    private static final List<MessageStatus> UNFINISHED =
            List.of(MessageStatus.READY, MessageStatus.RESTORE, MessageStatus.DELAY, MessageStatus.WAIT_PUT);

    private final MessageStore store;
    private final BucketIndex index;
    private final Scheduling scheduling;
    private final InstantSource clock;
    private final int pageSize;
    private final AtomicBoolean running = new AtomicBoolean();

    public Restorer(MessageStore store, BucketIndex index, Scheduling scheduling, InstantSource clock, int pageSize) {
        this.store = store;
        this.index = index;
        this.scheduling = scheduling;
        this.clock = clock;
        this.pageSize = pageSize;
    }

    /**
     * Puts every unfinished message back.
     *
     * @param expire whether overdue messages are put back too; if not they become EXPIRED
     * @throws DelayException STORE_UNAVAILABLE, INDEX_UNAVAILABLE; ALREADY_RUNNING if one runs on this node
     */
    public RestoreReport restoreAll(boolean expire) {
        if (!running.compareAndSet(false, true)) {
            throw new DelayException(ErrorCode.ALREADY_RUNNING, "a restore is already running on this node");
        }
        try {
            return walk(expire);
        } finally {
            running.set(false);
        }
    }

    /**
     * Puts one message back, whatever its status; one that fell due in the meantime is due now.
     *
     * @return false if no message has this id
     */
    public boolean restoreOne(String id) {
        return new SingleRestore(store, index, scheduling, clock).restore(id);
    }

    private RestoreReport walk(boolean expire) {
        long begunMs = clock.millis();
        RestorePage page = new RestorePage(store, index, scheduling, clock, expire, begunMs);
        for (MessageStatus status : UNFINISHED) {
            RowPages<StoredMessage> pages = RowPages.messages(store, status, pageSize);
            for (List<StoredMessage> rows = pages.next(); !rows.isEmpty(); rows = pages.next()) {
                page.restore(rows);
            }
        }
        return page.report(clock.millis() - begunMs);
    }
}
