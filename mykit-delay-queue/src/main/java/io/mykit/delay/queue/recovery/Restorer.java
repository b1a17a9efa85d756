package io.mykit.delay.queue.recovery;

/** Puts messages back from the store into the index. Thread-safe; blocks. Any node may do it, at any time. */
public final class Restorer {

    /**
     * Puts every unfinished message back.
     *
     * @param expire whether overdue messages are put back too; if not they become EXPIRED
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE, INDEX_UNAVAILABLE; ALREADY_RUNNING if one
     *     runs on this node
     */
    public RestoreReport restoreAll(boolean expire) {
        throw new UnsupportedOperationException();
    }

    /**
     * Puts one message back, whatever its status; one that fell due in the meantime is due now.
     *
     * @return false if no message has this id
     */
    public boolean restoreOne(String id) {
        throw new UnsupportedOperationException();
    }
}
