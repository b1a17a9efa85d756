package io.mykit.delay.test.example;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.apache.activemq.ActiveMQConnectionFactory;

public final class ActiveMqConsumer {
    public static void main(String[] args) throws Exception {
        Connection connection = new ActiveMQConnectionFactory("tcp://127.0.0.1:61616").createConnection();
        connection.start();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer orders = session.createConsumer(session.createQueue("orders"));
        for (Message message; (message = orders.receive()) != null; ) {
            System.out.println(message.getStringProperty("id") + ": " + message.getBody(String.class));
        }
    }
}
