package io.mykit.delay.client;

/**
 * The work of a {@link DelayConsumer} that answers its producers: what it returns is the result of the message ({@link
 * MessageView#result}). Everything else is as for a {@link MessageHandler}.
 */
@FunctionalInterface
public interface ResultHandler {
    /** Returns the result; null = none. Called on several threads at once. */
    Body handle(PulledMessage message) throws Exception;
}
