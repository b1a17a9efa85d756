package io.mykit.delay.channel.activemq;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Reasons;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.util.Optional;
import org.apache.activemq.ConnectionFailedException;
import org.apache.activemq.MaxFrameSizeExceededException;

/** Decides by the client's exception whether the message or the broker is at fault. Stateless. */
final class SendFaults {

    private SendFaults() {}

    /**
     * The fate of a message that was sent alone and is at fault: REFUSED if ActiveMQ can never carry it, FAILED if the
     * broker failed on it; empty if the broker, the destination or the connection cannot be used.
     */
    static Optional<Delivery> ofMessage(Throwable thrown) {
        boolean answered = false;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof MaxFrameSizeExceededException || cause instanceof MessageFormatException) {
                return Optional.of(Delivery.refused("ActiveMQ: " + Reasons.of(cause)));
            }
            if (isBrokersOrDestinations(cause)) {
                return Optional.empty();
            }
            answered |= cause instanceof JMSException;
        }
        return answered ? Optional.of(Delivery.failed("ActiveMQ: " + Reasons.of(thrown))) : Optional.empty();
    }

    /** Whether the broker's answer to a commit says that no message of the transaction is stored. */
    static boolean isRolledBack(Throwable thrown) {
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof TransactionRolledBackException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    private static boolean isBrokersOrDestinations(Throwable cause) {
        return cause instanceof IOException
                || cause instanceof SecurityException
                || cause instanceof IllegalStateException
                || cause instanceof ConnectionFailedException
                || cause instanceof InterruptedException
                || cause instanceof JMSSecurityException
                || cause instanceof ResourceAllocationException
                || cause instanceof InvalidDestinationException
                || cause instanceof TransactionRolledBackException
                || cause instanceof jakarta.jms.IllegalStateException;
    }
}
