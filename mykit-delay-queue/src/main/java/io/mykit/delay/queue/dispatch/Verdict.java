package io.mykit.delay.queue.dispatch;

/**
 * What a batch tells about its topic.
 *
 * @param why it cannot be used; empty unless it is unavailable
 */
record Verdict(Kind kind, String why) {
    static final Verdict USABLE = new Verdict(Kind.USABLE, "");
    /** A message failed, and that may be its own fault: the topic goes on as it did. */
    static final Verdict UNKNOWN = new Verdict(Kind.UNKNOWN, "");

    static Verdict unavailable(String why) {
        return new Verdict(Kind.UNAVAILABLE, why);
    }

    boolean isUsable() {
        return kind == Kind.USABLE;
    }

    boolean isUnavailable() {
        return kind == Kind.UNAVAILABLE;
    }

    /** Of two parts of a batch: unavailable if one of them is, and usable if one is and the other is unknown. */
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
