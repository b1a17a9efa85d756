package io.mykit.delay.test.bench.rig;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import org.apache.activemq.ActiveMQConnectionFactory;

/**
 * Consumes a queue as cheaply as the client can: acknowledging 65 % of the prefetch limit at a time.
 *
 * <p>With a backlog the broker dispatches no more than a page of 200 messages after each acknowledgement. The page must
 * be larger than the number that the client keeps back (650 of the usual limit of 1,000), or both wait for each other until the
 * broker looks for expired messages, twice a minute.
 */
final class ActiveMqSink implements Sink {
    private static final String OPTIONS = "?jms.optimizeAcknowledge=true&jms.prefetchPolicy.queuePrefetch=250";

    private final Connection connection;
    private volatile Tally tally = new Tally();

    ActiveMqSink(String url, String queue) throws JMSException {
        connection = new ActiveMQConnectionFactory(url + OPTIONS).createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        session.createConsumer(session.createQueue(queue)).setMessageListener(this::take);
        connection.start();
    }

    @Override
    public void restart(Tally next) {
        tally = next;
    }

    private void take(Message message) {
        try {
            tally.arrived(
                    message.propertyExists(DUE_MICROS)
                            ? message.getLongProperty(DUE_MICROS)
                            : message.getLongProperty(DUE_TIME) * 1000,
                    message.getStringProperty(ID));
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
