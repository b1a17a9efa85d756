package io.mykit.delay.queue.dispatch;

import java.time.Duration;

/**
 * The result of a batch for its topic: whether the topic can be used.
 *
 * @param why the reason if the topic is unavailable; otherwise empty
 * @param retryAfter the topic backs off for at least this time if it is unavailable; zero = no wish
 * @param ofNode whether this node itself stood still: that says nothing about the topic, which rests for a moment only
 */
record Verdict(Kind kind, String why, Duration retryAfter, boolean ofNode) {
    static final Verdict USABLE = new Verdict(Kind.USABLE, "", Duration.ZERO, false);
    /** A message failed, and the message itself may be the cause. The topic goes on as before. */
    static final Verdict UNKNOWN = new Verdict(Kind.UNKNOWN, "", Duration.ZERO, false);

    static Verdict unavailable(String why) {
        return unavailable(why, Duration.ZERO);
    }

    static Verdict unavailable(String why, Duration retryAfter) {
        return new Verdict(Kind.UNAVAILABLE, why, retryAfter, false);
    }

    /** The node stood still, and sent nothing. */
    static Verdict stalled(String why) {
        return new Verdict(Kind.UNAVAILABLE, why, Duration.ZERO, true);
    }

    boolean isUsable() {
        return kind == Kind.USABLE;
    }

    boolean isUnavailable() {
        return kind == Kind.UNAVAILABLE;
    }

    /**
     * Combines two parts of a batch: unavailable if one part is unavailable; usable if one part is usable and the other
     * unknown.
     */
    Verdict and(Verdict other) {
        return kind.compareTo(other.kind) >= 0 ? this : other;
    }

    /** In rising order of weight. */
    enum Kind {
        UNKNOWN,
        USABLE,
        UNAVAILABLE
    }
}
