package io.mykit.delay.channel.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import java.io.IOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An AMQP channel with publisher confirms. It serves one batch at a time, and one thread; the client's thread of the connection brings
 * the answers. {@link #isOpen} and {@link #abort} are for any thread.
 */
final class ConfirmedChannel {
    private static final Logger LOG = LoggerFactory.getLogger(ConfirmedChannel.class);

    private final Channel channel;
    /** The batch that gets the answers; null before the first one, and after {@link #leave}. */
    private volatile Batch batch;

    /**
     * Turns confirms on; blocks for an answer of the broker. Without the answer the channel is closed.
     *
     * @param sign called at each answer of the broker
     */
    ConfirmedChannel(Channel channel, Runnable sign) throws IOException {
        this.channel = channel;
        channel.addConfirmListener(
                (tag, upTo) -> answered(tag, upTo, true, sign), (tag, upTo) -> answered(tag, upTo, false, sign));
        channel.addReturnListener(this::returned);
        channel.addShutdownListener(this::closed);
        try {
            channel.confirmSelect();
        } catch (IOException | RuntimeException e) {
            abort();
            throw e;
        }
    }

    /** Answers go to this batch from now on. */
    void serve(Batch next) {
        batch = next;
    }

    /** The close of the channel is not told to its batch any more, which goes on over another channel. For the thread that publishes. */
    synchronized void leave() {
        batch = null;
    }

    /**
     * Publishes a message of the batch: mandatory, so that the broker returns it if no queue takes it. It blocks while the socket takes no
     * more bytes.
     *
     * @return false if the batch has ended or the channel is closed; {@link Batch#loss} has the reason then
     */
    boolean publish(int place, String exchange, String routingKey, BasicProperties properties, byte[] body) {
        if (!batch.begin(channel.getNextPublishSeqNo(), place)) {
            return false;
        }
        try {
            channel.basicPublish(exchange, routingKey, true, properties, body);
            return true;
        } catch (AlreadyClosedException e) {
            // The client looks at this before it writes.
            batch.notTaken(place);
            batch.lost(e);
        } catch (IOException | RuntimeException e) {
            batch.lost(e);
        }
        return false;
    }

    /** Waits for an answer of the broker to a call that changes nothing on a channel without consumers. */
    void roundTrip() throws IOException {
        channel.basicQos(0);
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Closes the channel. It may block while the broker does not answer. */
    void abort() {
        try {
            channel.abort();
        } catch (IOException | RuntimeException e) {
            LOG.debug("A channel to RabbitMQ did not close cleanly", e);
        }
    }

    private void answered(long tag, boolean upTo, boolean taken, Runnable sign) {
        sign.run();
        Batch current = batch;
        if (current != null) {
            current.answered(tag, upTo, taken);
        }
    }

    private void returned(Return message) {
        Batch current = batch;
        Map<String, Object> headers = message.getProperties().getHeaders();
        if (current == null || headers == null) {
            return;
        }
        String at = message.getExchange().isEmpty() ? "the default exchange" : "exchange " + message.getExchange();
        String why = "no queue for this key: " + message.getRoutingKey() + " at " + at + " (" + message.getReplyCode()
                + " " + message.getReplyText() + ")";
        current.returned(String.valueOf(headers.get(MessageMapping.ID)), why);
    }

    /** On the client's thread; after {@link #leave} it tells no batch. */
    private synchronized void closed(Throwable reason) {
        Batch current = batch;
        if (current != null) {
            current.lost(reason);
        }
    }
}
