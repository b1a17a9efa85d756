package io.mykit.delay.client;

import java.lang.System.Logger.Level;

/**
 * Is told of what goes wrong in a {@link DelayConsumer}. The consumer goes on by itself. Each method logs on the {@link
 * System.Logger} {@code io.mykit.delay.client} unless it is overridden. Called on the threads of the consumer; it must not
 * block. What it throws is dropped.
 *
 * <p>A consumer without a listener logs an outage once, with its topics, and once more at the end of the outage.
 */
public interface ConsumerListener {
    /** No messages could be had. The consumer asks again after a pause, which grows up to ten seconds. */
    default void pullFailed(Throwable failure) {
        // An outage has one cause, which the message tells. A stack trace shows the place of a defect.
        boolean known = failure instanceof DelayClientException;
        log(
                "A pull failed; the consumer will try again" + (known ? ": " + failure.getMessage() : ""),
                known ? null : failure);
    }

    /** A pull was answered after one or more that failed. */
    default void pullRecovered() {
        System.getLogger("io.mykit.delay.client").log(Level.INFO, "Pulls are answered again");
    }

    /** A handler failed. The message comes again, or is a dead letter. */
    default void handlerFailed(PulledMessage message, Throwable failure) {
        log("The handler failed for message " + message.id() + " of " + message.topic(), failure);
    }

    /**
     * A call on a message had another outcome than {@link SettleResult#DONE}. The message may come to another consumer.
     *
     * @param call {@code ack}, {@code nack}, {@code release}, {@code extend} or {@code bury}
     */
    default void notSettled(PulledMessage message, String call, SettleResult result) {
        log("The " + call + " of message " + message.id() + " was answered " + result, null);
    }

    /** A call on a message failed. After an ack, the message may be finished, or may come again. */
    default void settleFailed(PulledMessage message, String call, DelayClientException failure) {
        log("The " + call + " of message " + message.id() + " failed", failure);
    }

    private static void log(String text, Throwable failure) {
        System.getLogger("io.mykit.delay.client").log(Level.WARNING, text, failure);
    }
}
