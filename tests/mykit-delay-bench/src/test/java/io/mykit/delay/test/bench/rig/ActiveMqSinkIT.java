package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.server.SharedServers;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class ActiveMqSinkIT {
    private static final int MANY = 10_000;
    /** Less than the half minute after which the broker looks again by itself. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String url = SharedServers.activeMq().url();

    @Test
    void getsABacklogWithoutAPause() throws Exception {
        String queue = "sink-" + System.nanoTime();
        try (Sink sink = new ActiveMqSink(url, queue)) {
            Tally tally = sink.restart();
            sendAtOnce(queue);
            tally.await(MANY, PATIENCE);
        }
    }

    private void sendAtOnce(String queue) throws JMSException {
        try (Connection connection = new ActiveMQConnectionFactory(url).createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            for (int i = 0; i < MANY; i++) {
                var message = session.createTextMessage(Requests.BODY);
                message.setLongProperty(Sink.DUE_MICROS, Tally.nowMicros());
                producer.send(message);
            }
            session.commit();
        }
    }
}
