package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of which a row tells; the components are its columns.
 *
 * @param taken 0 = the row does not tell of READY
 * @param endedBy the number of an {@link Author}
 */
record KeptEnd(String id, long taken, long ended, int endedBy, int attempts) {
    /** The moves to the end, oldest first. */
    List<StatusFlow> moves(Author by) {
        List<StatusFlow> moves = new ArrayList<>(2);
        if (taken != 0) {
            moves.add(move(MessageStatus.DELAY, MessageStatus.READY, taken, by));
        }
        moves.add(move(MessageStatus.READY, MessageStatus.FINISH, ended, by));
        return moves;
    }

    private StatusFlow move(MessageStatus from, MessageStatus to, long atMs, Author by) {
        return new StatusFlow(id, from, to, atMs, by.thread(), by.host(), attempts, "");
    }
}
