package io.mykit.delay.spring;

/**
 * A body is no payload of the type that the listener wants, and will not be one at a later attempt. A {@link PayloadFormat}
 * throws it; {@code mykit.delay.client.listener.unreadable-body} decides what becomes of the message.
 */
public class UnreadablePayloadException extends RuntimeException {
    /** @param reason for the dead letter */
    public UnreadablePayloadException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
