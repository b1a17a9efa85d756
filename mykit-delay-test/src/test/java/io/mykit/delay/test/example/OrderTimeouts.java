package io.mykit.delay.test.example;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.jms.DelayConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.apache.activemq.ActiveMQConnectionFactory;

public final class OrderTimeouts {
    public static void main(String[] args) throws Exception {
        ConnectionFactory broker = new ActiveMQConnectionFactory(args[0]);
        DelayClient client = DelayClient.builder().endpoint(args[1]).build();
        // The one new line: all that follows is the program as it was.
        ConnectionFactory factory = new DelayConnectionFactory(broker, client);

        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue("orders"));
            producer.setDeliveryDelay(2_000);
            TextMessage message = session.createTextMessage("order 4711 was not paid");
            message.setIntProperty("reminder", 1);
            producer.send(message);
            System.out.println("sent " + message.getJMSMessageID());
        }
    }
}
