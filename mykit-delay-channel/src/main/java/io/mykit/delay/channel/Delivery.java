package io.mykit.delay.channel;

/**
 * The fate of one message in one attempt.
 *
 * @param detail why, for a person and the flow log; empty when delivered
 */
public record Delivery(Kind kind, String detail) {
    public static final Delivery DELIVERED = new Delivery(Kind.DELIVERED, "");

    public static Delivery unavailable(String why) {
        return new Delivery(Kind.UNAVAILABLE, why);
    }

    public static Delivery unclear(String why) {
        return new Delivery(Kind.UNCLEAR, why);
    }

    public static Delivery failed(String why) {
        return new Delivery(Kind.FAILED, why);
    }

    public static Delivery refused(String why) {
        return new Delivery(Kind.REFUSED, why);
    }

    /** The kinds of fate, by whose fault it is. */
    public enum Kind {
        /** The broker confirmed it. */
        DELIVERED,
        /**
         * The broker or the topic cannot be used now (down, slow, no route, no permission). The topic backs off; no
         * attempt is counted.
         */
        UNAVAILABLE,
        /**
         * The send failed, and the channel cannot tell whether the message or the broker is to blame. It counts as the
         * message's failure only if another message of the topic passes afterwards.
         */
        UNCLEAR,
        /** This message failed while the broker was there. An attempt is counted; the message alone backs off. */
        FAILED,
        /** This message can never be delivered. It becomes a dead letter. */
        REFUSED
    }
}
