package io.mykit.delay.client.jms;

/** Is told of delayed messages, for metrics. Called on the threads that send, so it must not block. Thread-safe. */
@FunctionalInterface
public interface DelayedSendListener {
    /** Does nothing. */
    DelayedSendListener NONE = (destination, outcome) -> {};

    /** What became of a delayed message. */
    enum Outcome {
        /** It is stored: it will be delivered. */
        ACCEPTED,
        /** It can never be delivered as it is, and the program got an exception. */
        REFUSED,
        /** There was no answer, so it may be stored or not, and the program got an exception. */
        UNANSWERED
    }

    /** @param destination the name of the queue or topic; empty if the message has none */
    void delayed(String destination, Outcome outcome);
}
