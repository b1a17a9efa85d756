package io.mykit.delay.channel.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Reasons;
import java.util.Optional;

/** Decides by the reason of a closed channel whether the message or the broker is at fault. Stateless. */
final class SendFaults {
    private SendFaults() {}

    /**
     * The fate of a message that was alone on a channel which the broker closed because of it: REFUSED if it is too large, else UNCLEAR.
     * Empty if the exchange, the account or the connection is at fault.
     */
    static Optional<Delivery> ofMessage(Throwable loss) {
        AMQP.Channel.Close close = channelClose(loss);
        if (close == null || isRefusal(loss)) {
            return Optional.empty();
        }
        String told = "RabbitMQ: " + Reasons.shortened(close.getReplyCode() + " " + close.getReplyText());
        return Optional.of(isTooLarge(close) ? Delivery.refused(told) : Delivery.unclear(told));
    }

    /** Whether the broker took no message, because the exchange is missing or the account may not use it. */
    static boolean isRefusal(Throwable loss) {
        AMQP.Channel.Close close = channelClose(loss);
        return close != null && (close.getReplyCode() == AMQP.NOT_FOUND || close.getReplyCode() == AMQP.ACCESS_REFUSED);
    }

    /** One line for a person. */
    static String reason(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException signal) {
                return signal.getReason() == null && signal.getCause() != null
                        ? Reasons.of(signal.getCause())
                        : Reasons.shortened(told(signal));
            }
        }
        return Reasons.of(thrown);
    }

    private static String told(ShutdownSignalException signal) {
        Method reason = signal.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return "the broker closed the channel: " + close.getReplyCode() + " " + close.getReplyText();
        }
        if (reason instanceof AMQP.Connection.Close close) {
            return "the broker closed the connection: " + close.getReplyCode() + " " + close.getReplyText();
        }
        return "the connection is closed";
    }

    /** RabbitMQ has a code of several meanings for it, Qpid that of the specification. */
    private static boolean isTooLarge(AMQP.Channel.Close close) {
        return close.getReplyCode() == AMQP.CONTENT_TOO_LARGE
                || (close.getReplyCode() == AMQP.PRECONDITION_FAILED
                        && close.getReplyText().contains("larger than"));
    }

    /** Null if it was not the broker that closed the channel. */
    private static AMQP.Channel.Close channelClose(Throwable loss) {
        return loss instanceof ShutdownSignalException signal
                        && !signal.isInitiatedByApplication()
                        && signal.getReason() instanceof AMQP.Channel.Close close
                ? close
                : null;
    }
}
