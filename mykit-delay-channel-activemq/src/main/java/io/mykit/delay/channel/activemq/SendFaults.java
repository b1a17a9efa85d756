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

/** Tells a message's fault from the broker's in what the client throws. */
final class SendFaults {

    private SendFaults() {}

    /**
     * The fate of a message that was at fault when it was sent alone: refused if it can never be carried, failed if the
     * broker choked on it; empty if the broker, the destination or the way there cannot be used.
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

    /** Whether the broker answered to a commit that nothing of the transaction is stored. */
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
