package io.mykit.delay.common.message;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The status of a message. The tables and readers of the flow log depend on the codes: never renumber them.
 *
 * <p>The table below is the only definition of legal moves. A null origin means "just pushed".
 */
public enum MessageStatus {
    /** The message is in the database only: it is due beyond the horizon, or Redis could not take it yet. */
    WAIT_PUT(0),
    /** The message is in a bucket of the index and waits for its due time. */
    DELAY(1),
    /** The message is due: it is in a ready list or under a lease. */
    READY(2),
    /** The broker confirmed it. */
    FINISH(3),
    /** Cancelled. */
    DELETE(4),
    /** An operator is restoring the message. */
    RESTORE(5),
    /** The message is a dead letter: its attempts are used up, or its channel refused it for good. */
    FAILED(6),
    /** The message expired: its ttl ended before delivery, or an operator ended it by {@code /reStore?expire=false}. */
    EXPIRED(7);

    /** The statuses of messages that have not ended. */
    public static final Set<MessageStatus> UNFINISHED = Set.copyOf(EnumSet.of(WAIT_PUT, DELAY, READY, RESTORE));

    private static final Map<MessageStatus, Set<MessageStatus>> MOVES = new EnumMap<>(MessageStatus.class);
    private static final MessageStatus[] BY_CODE = new MessageStatus[8];

    static {
        // WAIT_PUT -> READY: the index took the message but its answer was lost, and the message fell due before the
        // loader
        // claimed it. WAIT_PUT -> WAIT_PUT and DELAY -> DELAY: replaced by its producer before it was due.
        MOVES.put(WAIT_PUT, EnumSet.of(WAIT_PUT, DELAY, READY, DELETE, RESTORE, EXPIRED));
        MOVES.put(DELAY, EnumSet.of(WAIT_PUT, DELAY, READY, DELETE, RESTORE, EXPIRED));
        // READY -> DELAY: an attempt failed, and the message waits for the next one in the bucket. READY -> WAIT_PUT:
        // the next
        // attempt is beyond the horizon, or a version that is due beyond it replaced the message during that wait.
        MOVES.put(READY, EnumSet.of(WAIT_PUT, DELAY, FINISH, FAILED, EXPIRED, DELETE, RESTORE));
        MOVES.put(RESTORE, EnumSet.of(WAIT_PUT, DELAY, READY, DELETE, EXPIRED));
        MOVES.put(FINISH, EnumSet.of(RESTORE));
        // DELETE -> FINISH: the database gave no answer to a cancel but applied it later, and it was away when the
        // message
        // fell due.
        MOVES.put(DELETE, EnumSet.of(RESTORE, FINISH));
        // FAILED -> DELETE: an operator discarded the dead letter.
        MOVES.put(FAILED, EnumSet.of(RESTORE, DELETE));
        MOVES.put(EXPIRED, EnumSet.of(RESTORE));
        for (MessageStatus status : values()) {
            BY_CODE[status.code] = status;
        }
    }

    private final int code;

    MessageStatus(int code) {
        this.code = code;
    }

    /** The code in the tables. */
    public int code() {
        return code;
    }

    public boolean isUnfinished() {
        return UNFINISHED.contains(this);
    }

    /** Whether a message may move from this status to {@code next}. */
    public boolean canBecome(MessageStatus next) {
        return MOVES.get(this).contains(next);
    }

    /** Whether a new message may begin with this status. */
    public boolean canBegin() {
        return this == WAIT_PUT || this == DELAY;
    }

    /**
     * The status with this code.
     *
     * @throws IllegalArgumentException if no status has this code
     */
    public static MessageStatus ofCode(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("no message status has the code " + code);
        }
        return BY_CODE[code];
    }
}
