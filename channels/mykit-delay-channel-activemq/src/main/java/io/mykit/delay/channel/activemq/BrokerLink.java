package io.mykit.delay.channel.activemq;

import io.mykit.delay.common.message.DelayMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Session;
import java.util.List;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQMessageProducer;
import org.apache.activemq.ActiveMQSession;
import org.apache.activemq.openwire.OpenWireFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection with a transacted session for batches and a plain session for single messages. For one thread at a time,
 * except {@link #cut} and {@link #isAlive}.
 */
final class BrokerLink {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerLink.class);

    private final ActiveMQConnection connection;
    private final ActiveMQSession session;
    /** Producers without a fixed destination. */
    private final ActiveMQMessageProducer producer;

    private final ActiveMQMessageProducer plainProducer;

    private BrokerLink(ActiveMQConnection connection) throws JMSException {
        this.connection = connection;
        this.session = (ActiveMQSession) connection.createSession(true, Session.SESSION_TRANSACTED);
        this.producer = (ActiveMQMessageProducer) session.createProducer(null);
        Session plain = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        this.plainProducer = (ActiveMQMessageProducer) plain.createProducer(null);
    }

    /** Connects. It blocks until the connection exists, with {@code failover:} until a broker is reachable. */
    static BrokerLink open(ActiveMQConnectionFactory factory) throws JMSException {
        Connection connection = factory.createConnection();
        try {
            // The next use of the link sees the failure. Without this listener the client would print a warning.
            connection.setExceptionListener(e -> LOG.debug("An idle connection to ActiveMQ broke", e));
            return new BrokerLink((ActiveMQConnection) connection);
        } catch (JMSException | RuntimeException e) {
            cut((ActiveMQConnection) connection);
            throw e;
        }
    }

    boolean isAlive() {
        return !connection.isTransportFailed() && !connection.isClosed();
    }

    /**
     * Sends within a transaction that begins with the first message.
     *
     * <p>Only the first message asks the broker for an answer. An answer to each would take ten times as long. If the
     * destination is out of memory, the broker holds this answer back. Without the request it would block its thread of
     * this connection, and one more thread at every retry. The broker reports problems of the other messages at
     * {@link #commit}.
     */
    void send(MessageMapping mapping, List<DelayMessage> messages) throws JMSException, InterruptedException {
        requireSmallEnough(mapping, messages);
        SendAnswer answer = new SendAnswer();
        send(producer, mapping, messages.get(0), answer);
        answer.await();
        for (DelayMessage message : messages.subList(1, messages.size())) {
            send(producer, mapping, message, null);
        }
    }

    /**
     * Sends one message without a transaction; the broker's answer says that it is stored. It needs half as many round
     * trips, and the broker may pass the message to a consumer while it stores it.
     */
    void sendAlone(MessageMapping mapping, DelayMessage message) throws JMSException, InterruptedException {
        requireSmallEnough(mapping, List.of(message));
        SendAnswer answer = new SendAnswer();
        send(plainProducer, mapping, message, answer);
        answer.await();
    }

    private static void send(
            ActiveMQMessageProducer by, MessageMapping mapping, DelayMessage message, SendAnswer answer)
            throws JMSException {
        Outgoing outgoing = mapping.outgoing(message);
        by.send(
                outgoing.destination(),
                outgoing.message(),
                outgoing.deliveryMode(),
                outgoing.priority(),
                outgoing.timeToLiveMs(),
                answer);
    }

    /**
     * Checks the frame size. The client checks it as well, but over {@code failover:} it takes the failure for a broken
     * connection and then retries that message for ever.
     */
    private void requireSmallEnough(MessageMapping mapping, List<DelayMessage> messages) throws MessageFormatException {
        if (!(connection.getTransport().getWireFormat() instanceof OpenWireFormat format)) {
            return;
        }
        for (DelayMessage message : messages) {
            long bytes = mapping.frameBytes(message);
            if (bytes > format.getMaxFrameSize()) {
                throw new MessageFormatException("a message of about " + bytes + " bytes is more than the "
                        + format.getMaxFrameSize() + " that the broker takes (wireFormat.maxFrameSize)");
            }
        }
    }

    void commit() throws JMSException {
        session.commit();
    }

    void rollback() throws JMSException {
        session.rollback();
    }

    /** Begins and ends an empty transaction. */
    void roundTrip() throws JMSException {
        session.getTransactionContext().begin();
        session.rollback();
    }

    /** Closes the connection in order; takes at most a second if the broker does not answer. */
    void close() {
        try {
            connection.close();
        } catch (JMSException e) {
            cut();
        }
    }

    /**
     * Drops the connection without a close command. The broker rolls back an open transaction. It may block while another
     * thread hangs in a write. The client's inactivity check ends that write after 30 s.
     */
    void cut() {
        cut(connection);
    }

    private static void cut(ActiveMQConnection connection) {
        try {
            connection.getTransport().stop();
        } catch (Exception e) {
            LOG.debug("The transport of a connection to ActiveMQ did not stop cleanly", e);
        }
        try {
            // It follows the stop of the transport, so it waits for no answer.
            connection.close();
        } catch (JMSException | RuntimeException e) {
            LOG.debug("A connection to ActiveMQ did not close cleanly", e);
        }
    }
}
