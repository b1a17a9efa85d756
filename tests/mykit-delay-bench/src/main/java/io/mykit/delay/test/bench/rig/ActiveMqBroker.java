package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.server.ActiveMqServer;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ScheduledMessage;

/** ActiveMQ. A connection for each producer, as its sessions want no company. */
final class ActiveMqBroker implements Broker {
    private final ActiveMqServer server;

    ActiveMqBroker(ActiveMqServer server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "ActiveMQ";
    }

    @Override
    public long pid() {
        return server.pid();
    }

    @Override
    public String topic(Use use) {
        return use == Use.DRAIN ? Rig.ACTIVE_DRAIN : Rig.ACTIVE_LATENESS;
    }

    @Override
    public Sink sink(String topic) throws JMSException {
        return new ActiveMqSink(server.url(), topic);
    }

    @Override
    public Producer producer(String topic) throws JMSException {
        return new Sending(new ActiveMQConnectionFactory(server.url()).createConnection(), topic);
    }

    private static final class Sending implements Producer {
        private final Connection connection;
        private final Session single;
        private final MessageProducer singleProducer;
        private final Session transacted;
        private final MessageProducer transactedProducer;

        Sending(Connection connection, String queue) throws JMSException {
            this.connection = connection;
            single = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            singleProducer = single.createProducer(single.createQueue(queue));
            transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
            transactedProducer = transacted.createProducer(transacted.createQueue(queue));
        }

        @Override
        public void send(long dueMicros) throws JMSException {
            singleProducer.send(message(single, dueMicros));
        }

        @Override
        public void send(List<Long> dueMicros) throws JMSException {
            for (long due : dueMicros) {
                transactedProducer.send(message(transacted, due));
            }
            transacted.commit();
        }

        @Override
        public void sendDelayed(long dueMicros) throws JMSException {
            Message message = message(single, dueMicros);
            // Rounded up: its milliseconds must not make it early.
            long delayMs = Math.max(1, (dueMicros - Tally.nowMicros() + 999) / 1000);
            message.setLongProperty(ScheduledMessage.AMQ_SCHEDULED_DELAY, delayMs);
            singleProducer.send(message);
        }

        private static Message message(Session session, long dueMicros) throws JMSException {
            Message message = session.createTextMessage(Requests.BODY);
            message.setLongProperty(Sink.DUE_MICROS, dueMicros);
            return message;
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
}
