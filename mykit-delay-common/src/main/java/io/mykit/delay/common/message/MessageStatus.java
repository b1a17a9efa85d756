package io.mykit.delay.common.message;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Where a message is. The codes are a contract with the tables and with readers of the flow log: never renumber them.
 *
 * <p>The legal moves are the table below and nowhere else. A null origin means "just pushed".
 */
public enum MessageStatus {
    /** Only in the store: due beyond the horizon, or the index could not take it yet. */
    WAIT_PUT(0),
    /** In a bucket of the index, waiting for its due time. */
    DELAY(1),
    /** Due: in a ready list or under a lease. */
    READY(2),
    /** The broker confirmed it. */
    FINISH(3),
    /** Cancelled. */
    DELETE(4),
    /** Being put back by an operator. */
    RESTORE(5),
    /** Dead letter: attempts used up, or refused for good by the channel. */
    FAILED(6),
    /** Its ttl ran out before delivery, or an operator restored without the overdue. */
    EXPIRED(7);

    /** States from which a message still has to go somewhere. */
    public static final Set<MessageStatus> UNFINISHED = Set.copyOf(EnumSet.of(WAIT_PUT, DELAY, READY, RESTORE));

    private static final Map<MessageStatus, Set<MessageStatus>> MOVES = new EnumMap<>(MessageStatus.class);
    private static final MessageStatus[] BY_CODE = new MessageStatus[8];

    static {
        // WAIT_PUT -> READY: the index took a message although its answer was lost, and it fell due before the
        // loader claimed it. WAIT_PUT -> WAIT_PUT and DELAY -> DELAY: replaced by its producer before it was due.
        MOVES.put(WAIT_PUT, EnumSet.of(WAIT_PUT, DELAY, READY, DELETE, RESTORE, EXPIRED));
        MOVES.put(DELAY, EnumSet.of(WAIT_PUT, DELAY, READY, DELETE, RESTORE, EXPIRED));
        // READY -> DELAY: an attempt failed and the next one waits out its backoff in the bucket.
        // READY -> WAIT_PUT: replaced while it waited so, by a version that is due beyond the horizon.
        MOVES.put(READY, EnumSet.of(WAIT_PUT, DELAY, FINISH, FAILED, EXPIRED, DELETE, RESTORE));
        MOVES.put(RESTORE, EnumSet.of(WAIT_PUT, DELAY, READY, DELETE, EXPIRED));
        MOVES.put(FINISH, EnumSet.of(RESTORE));
        // DELETE -> FINISH: the store did not answer a cancel, which then came through after all, and was away when the
        // message fell due.
        MOVES.put(DELETE, EnumSet.of(RESTORE, FINISH));
        MOVES.put(FAILED, EnumSet.of(RESTORE));
        MOVES.put(EXPIRED, EnumSet.of(RESTORE));
        for (MessageStatus status : values()) {
            BY_CODE[status.code] = status;
        }
    }

    private final int code;

    MessageStatus(int code) {
        this.code = code;
    }

    /** The number in the tables. */
    public int code() {
        return code;
    }

    public boolean isUnfinished() {
        return UNFINISHED.contains(this);
    }

    /** Whether a message in this state may go to {@code next}. */
    public boolean canBecome(MessageStatus next) {
        return MOVES.get(this).contains(next);
    }

    /** Whether a new message may begin in this state. */
    public boolean canBegin() {
        return this == WAIT_PUT || this == DELAY;
    }

    /**
     * The status with this code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static MessageStatus ofCode(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("no message status has the code " + code);
        }
        return BY_CODE[code];
    }
}
