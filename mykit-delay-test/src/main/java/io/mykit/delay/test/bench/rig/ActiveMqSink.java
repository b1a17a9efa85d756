package io.mykit.delay.test.bench.rig;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import org.apache.activemq.ActiveMQConnectionFactory;

/** Consumes a queue as cheaply as the client can. */
final class ActiveMqSink implements Sink {
    private final Connection connection;
    private volatile Tally tally = new Tally();

    ActiveMqSink(String url, String queue) throws JMSException {
        connection = new ActiveMQConnectionFactory(url + "?jms.optimizeAcknowledge=true").createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        session.createConsumer(session.createQueue(queue)).setMessageListener(this::take);
        connection.start();
    }

    @Override
    public Tally restart() {
        tally = new Tally();
        return tally;
    }

    private void take(Message message) {
        try {
            tally.arrived(
                    message.propertyExists(DUE_MICROS)
                            ? message.getLongProperty(DUE_MICROS)
                            : message.getLongProperty(DUE_TIME) * 1000);
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
