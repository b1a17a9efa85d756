package io.mykit.delay.channel;

import static java.util.Objects.requireNonNull;

import io.mykit.delay.common.message.MessageResult;
import java.time.Duration;
import java.util.Optional;

/**
 * The fate of one message in one send. Immutable.
 *
 * @param detail the reason, for a person and the flow log; usually empty when delivered
 * @param retryAfter the receiver asks not to be tried again before this time has passed; zero = it does not ask
 * @param result the receiver's answer, which producers can read; only when delivered. The server keeps it with the message
 * @param unsent true = the receiver certainly did not get the message in this send. Only UNAVAILABLE looks at it; see {@link
 *     #notSent}
 */
public record Delivery(Kind kind, String detail, Duration retryAfter, Optional<MessageResult> result, boolean unsent) {
    public static final Delivery DELIVERED = new Delivery(Kind.DELIVERED, "");

    public Delivery {
        requireNonNull(kind, "kind");
        requireNonNull(detail, "detail");
        requireNonNull(retryAfter, "retryAfter");
        if (result.isPresent() && kind != Kind.DELIVERED) {
            throw new IllegalArgumentException("a message that is " + kind + " has no result");
        }
    }

    public Delivery(Kind kind, String detail, Duration retryAfter) {
        this(kind, detail, retryAfter, Optional.empty(), false);
    }

    public Delivery(Kind kind, String detail) {
        this(kind, detail, Duration.ZERO);
    }

    /**
     * Delivered, with the answer of the receiver.
     *
     * @param answer not {@link MessageResult#isTooLarge}
     */
    public static Delivery delivered(MessageResult answer) {
        return new Delivery(Kind.DELIVERED, "", Duration.ZERO, Optional.of(answer), false);
    }

    /** The broker or the topic cannot be used. The broker may have got the message: its answer was lost, or did not come in time. */
    public static Delivery unavailable(String why) {
        return new Delivery(Kind.UNAVAILABLE, why);
    }

    /**
     * The broker or the topic cannot be used, and the broker certainly did not take the message: there was no connection or no
     * route, the broker refused it, or the send had not begun. So a cancel of the message can say that nothing has arrived.
     */
    public static Delivery notSent(String why) {
        return new Delivery(Kind.UNAVAILABLE, why, Duration.ZERO, Optional.empty(), true);
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

    public static Delivery deferred(String why) {
        return new Delivery(Kind.DEFERRED, why);
    }

    public static Delivery full(String why) {
        return new Delivery(Kind.FULL, why);
    }

    /** The same fate, with the wish of the receiver. Only UNAVAILABLE, FAILED, DEFERRED and FULL look at it. */
    public Delivery retryAfter(Duration wish) {
        return new Delivery(kind, detail, wish, result, unsent);
    }

    /** The same fate with another reason. */
    public Delivery because(String newDetail) {
        return new Delivery(kind, newDetail, retryAfter, result, unsent);
    }

    /** The kinds of fate. They differ in the party at fault: broker, message, or unknown. */
    public enum Kind {
        /** The broker confirmed the message. */
        DELIVERED,
        /**
         * The broker or the topic cannot be used now (down, slow, no route, no permission). The topic backs off; no
         * attempt is counted.
         */
        UNAVAILABLE,
        /**
         * The send failed, and the channel cannot tell whether the message or the broker is to blame. It counts as a
         * failure of the message only if another message of the topic is delivered afterwards.
         */
        UNCLEAR,
        /** This message failed while the broker worked. An attempt is counted, and only this message backs off. */
        FAILED,
        /** This message can never be delivered. It becomes a dead letter. */
        REFUSED,
        /**
         * This message cannot be sent now, and no party is at fault. Only this message waits: for {@link
         * Delivery#retryAfter}, or a second. The flow log has the reason. No attempt is counted.
         */
        DEFERRED,
        /**
         * As DEFERRED, and the row does not change: the message waits in the index alone. For thousands of messages that wait for
         * a place again and again.
         */
        FULL
    }
}
