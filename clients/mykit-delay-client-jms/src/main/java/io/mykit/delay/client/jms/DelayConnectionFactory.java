package io.mykit.delay.client.jms;

import io.mykit.delay.client.DelayClient;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import java.util.Objects;

/**
 * A connection factory that sends delayed messages to mykit-delay, and everything else to the broker. Thread-safe.
 *
 * <pre>{@code
 * ConnectionFactory factory = new DelayConnectionFactory(new ActiveMQConnectionFactory(url), client);
 * }</pre>
 *
 * <p>A message is delayed by {@code setDeliveryDelay} of its producer, or by its property {@code AMQ_SCHEDULED_DELAY}. When it is due, the
 * channel {@code activemq} of the server sends it to its queue or topic, with the body and the properties that it has here. A send returns
 * when the server has stored the message; then JMSMessageID is {@code ID:} and the id by which a {@code DelayClient} finds and cancels it.
 *
 * <p>In a transacted session delayed messages are pushed after the commit, and never after a rollback. A process that ends in between loses
 * them: where that is not good enough, a {@link DelayedSender} may write them into an outbox. A delay counts from the send.
 *
 * <p>What cannot be kept is refused, by an exception that names it: a {@code MapMessage}, {@code ObjectMessage} or {@code StreamMessage},
 * JMSReplyTo, temporary destinations, repeated and cron schedules of ActiveMQ. No message is ever delivered early instead.
 */
public final class DelayConnectionFactory implements ConnectionFactory, QueueConnectionFactory, TopicConnectionFactory {
    private final ConnectionFactory broker;
    private final DelayedSender sender;
    private final DelayedSendListener listener;

    /** Pushes delayed messages to the servers of this client. */
    public DelayConnectionFactory(ConnectionFactory broker, DelayClient client) {
        this(broker, DelayedSender.to(client), DelayedSendListener.NONE);
    }

    /**
     * @param broker the application's own factory, perhaps a pool
     * @throws IllegalArgumentException if it is one for XA: a push cannot be part of such a transaction
     */
    public DelayConnectionFactory(ConnectionFactory broker, DelayedSender sender, DelayedSendListener listener) {
        if (broker instanceof XAConnectionFactory) {
            throw new IllegalArgumentException(broker.getClass().getName()
                    + " is for XA, and a delayed message cannot be part of an XA transaction: use a ConnectionFactory"
                    + " without XA, or the outbox of mykit-delay");
        }
        this.broker = Objects.requireNonNull(broker, "broker");
        this.sender = Objects.requireNonNull(sender, "sender");
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    @Override
    public Connection createConnection() throws JMSException {
        return ConnectionProxy.of(broker.createConnection(), this::sends);
    }

    @Override
    public Connection createConnection(String userName, String password) throws JMSException {
        return ConnectionProxy.of(broker.createConnection(userName, password), this::sends);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return (QueueConnection)
                ConnectionProxy.of(ofKind(QueueConnectionFactory.class).createQueueConnection(), this::sends);
    }

    @Override
    public QueueConnection createQueueConnection(String userName, String password) throws JMSException {
        return (QueueConnection) ConnectionProxy.of(
                ofKind(QueueConnectionFactory.class).createQueueConnection(userName, password), this::sends);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return (TopicConnection)
                ConnectionProxy.of(ofKind(TopicConnectionFactory.class).createTopicConnection(), this::sends);
    }

    @Override
    public TopicConnection createTopicConnection(String userName, String password) throws JMSException {
        return (TopicConnection) ConnectionProxy.of(
                ofKind(TopicConnectionFactory.class).createTopicConnection(userName, password), this::sends);
    }

    @Override
    public JMSContext createContext() {
        return SessionProxy.of(broker.createContext(), this::sends);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return SessionProxy.of(broker.createContext(sessionMode), this::sends);
    }

    @Override
    public JMSContext createContext(String userName, String password) {
        return SessionProxy.of(broker.createContext(userName, password), this::sends);
    }

    @Override
    public JMSContext createContext(String userName, String password, int sessionMode) {
        return SessionProxy.of(broker.createContext(userName, password, sessionMode), this::sends);
    }

    private Sends sends() {
        return new Sends(sender, listener);
    }

    private <T> T ofKind(Class<T> kind) throws JMSException {
        if (!kind.isInstance(broker)) {
            throw new JMSException(broker.getClass().getName() + " is no " + kind.getSimpleName());
        }
        return kind.cast(broker);
    }

    @Override
    public String toString() {
        return "delayed sends before " + broker.getClass().getName();
    }
}
