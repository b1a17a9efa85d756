package io.mykit.delay.test.delivery;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTopic;

/** Consumes a queue, or listens to a topic from now on. */
public final class ActiveMqInbox implements Inbox {
    private final Connection connection;
    private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();

    private ActiveMqInbox(ActiveMQConnectionFactory factory, Destination destination) {
        try {
            connection = factory.createConnection();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(destination).setMessageListener(this::take);
            connection.start();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    public static ActiveMqInbox ofQueue(String url, String queue) {
        return new ActiveMqInbox(new ActiveMQConnectionFactory(url), new ActiveMQQueue(queue));
    }

    public static ActiveMqInbox ofTopic(String url, String topic) {
        return new ActiveMqInbox(new ActiveMQConnectionFactory(url), new ActiveMQTopic(topic));
    }

    /** The same, for a broker that demands an account. */
    public static ActiveMqInbox ofQueue(String url, String queue, String user, String password) {
        return new ActiveMqInbox(new ActiveMQConnectionFactory(user, password, url), new ActiveMQQueue(queue));
    }

    @Override
    public List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The bytes of a bytes message as UTF-8. */
    private static String body(Message message) throws JMSException {
        if (message instanceof BytesMessage bytes) {
            byte[] content = new byte[(int) bytes.getBodyLength()];
            bytes.readBytes(content);
            return new String(content, StandardCharsets.UTF_8);
        }
        return ((TextMessage) message).getText();
    }

    private void take(Message message) {
        try {
            Map<String, Object> properties = new HashMap<>();
            Enumeration<?> names = message.getPropertyNames();
            while (names.hasMoreElements()) {
                String name = (String) names.nextElement();
                properties.put(name, message.getObjectProperty(name));
            }
            properties.put("JMSMessageID", message.getJMSMessageID());
            properties.put("JMSCorrelationID", message.getJMSCorrelationID());
            properties.put("JMSPriority", message.getJMSPriority());
            properties.put("JMSDeliveryMode", message.getJMSDeliveryMode());
            arrivals.add(new Arrival(
                    message.getStringProperty("id"),
                    message.getStringProperty("subtopic"),
                    message.getStringProperty("bizKey"),
                    message.getLongProperty("dueTime"),
                    body(message),
                    System.currentTimeMillis(),
                    properties));
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
