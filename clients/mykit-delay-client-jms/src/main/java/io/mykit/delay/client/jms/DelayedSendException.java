package io.mykit.delay.client.jms;

import io.mykit.delay.client.Message;
import jakarta.jms.JMSException;
import java.util.List;

/**
 * Delayed messages were not stored, or the answer was lost. The broker got none of them. With the simplified API of JMS it is the cause of a
 * {@code JMSRuntimeException}.
 *
 * <p>A commit throws it after the transaction is committed at the broker. Do not repeat the transaction then: push {@link #unsent} by a
 * {@code DelayClient}, now or later. Each of them has its id, so a second push of it delivers nothing twice.
 */
public final class DelayedSendException extends JMSException {
    /** Not for other processes: the application pushes them, or keeps {@link Message#toJson}. */
    private final transient List<Message> unsent;

    private final boolean isCommitted;

    DelayedSendException(String text, String errorCode, List<Message> unsent, boolean isCommitted, Throwable cause) {
        super(text, errorCode);
        this.unsent = List.copyOf(unsent);
        this.isCommitted = isCommitted;
        if (cause != null) {
            initCause(cause);
            if (cause instanceof Exception linked) {
                setLinkedException(linked);
            }
        }
    }

    /** The messages, in the order in which they were sent. */
    public List<Message> unsent() {
        return unsent == null ? List.of() : unsent;
    }

    /** Whether the transaction of the session was committed before. */
    public boolean isCommitted() {
        return isCommitted;
    }
}
