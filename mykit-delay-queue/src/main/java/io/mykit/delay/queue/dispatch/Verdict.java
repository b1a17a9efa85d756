package io.mykit.delay.queue.dispatch;

import java.time.Duration;

/**
 * The result of a batch for its topic: whether the topic can be used.
 *
 * @param why the reason if the topic is unavailable; otherwise empty
 * @param retryAfter the topic backs off for at least this time if it is unavailable; zero = no wish
 */
record Verdict(Kind kind, String why, Duration retryAfter) {
    static final Verdict USABLE = new Verdict(Kind.USABLE, "", Duration.ZERO);
    /** A message failed, and the message itself may be the cause. The topic goes on as before. */
    static final Verdict UNKNOWN = new Verdict(Kind.UNKNOWN, "", Duration.ZERO);

    static Verdict unavailable(String why) {
        return unavailable(why, Duration.ZERO);
    }

    static Verdict unavailable(String why, Duration retryAfter) {
        return new Verdict(Kind.UNAVAILABLE, why, retryAfter);
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
