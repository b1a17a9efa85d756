package io.mykit.delay.test.fault.history;

import java.util.Locale;

/**
 * A call of a consumer on a message that it held, with one answer or none.
 *
 * @param askedMs before it was sent, epoch milliseconds
 * @param answeredMs epoch milliseconds
 * @param untilMs the new end of the hold, epoch milliseconds; 0 = it was not extended
 */
public record Settling(
        String id, String receipt, Kind kind, long askedMs, long answeredMs, Answered answered, long untilMs) {
    /** The call. */
    public enum Kind {
        ACK,
        NACK,
        RELEASE,
        EXTEND,
        BURY;

        /** As in the path of the call. */
        public String path() {
            return "/" + name().toLowerCase(Locale.ROOT);
        }
    }

    /** What the consumer may believe. */
    public enum Answered {
        DONE,
        /** The outcome is in Redis, and not yet in the database. */
        PARKED,
        /** The consumer does not hold the message, or the message has ended. Nothing was changed. */
        LOST,
        /** A refusal that promises nothing, or no answer. */
        NOTHING_KNOWN
    }

    /** Whether the message is finished now, as the consumer was told. */
    public boolean isFinal() {
        return kind == Kind.ACK && (answered == Answered.DONE || answered == Answered.PARKED);
    }

    /** Whether this call may have had this effect. */
    public boolean mayBe(Kind effect) {
        return kind == effect && answered != Answered.LOST;
    }
}
