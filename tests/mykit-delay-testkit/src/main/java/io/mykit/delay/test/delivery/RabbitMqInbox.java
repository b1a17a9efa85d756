package io.mykit.delay.test.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.common.lifecycle.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;

/** Declares a durable queue, and consumes it. */
public final class RabbitMqInbox implements Inbox {
    private final Connection connection;
    private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();

    private RabbitMqInbox(Connection connection) {
        this.connection = connection;
    }

    /** The messages of a queue, which the default exchange reaches by its name. */
    public static RabbitMqInbox ofQueue(int port, String queue) {
        return open(port, queue, "", queue);
    }

    /** The messages of an exchange with this routing key. */
    public static RabbitMqInbox bound(int port, String exchange, String routingKey) {
        return open(port, "inbox-" + routingKey, exchange, routingKey);
    }

    private static RabbitMqInbox open(int port, String queue, String exchange, String routingKey) {
        try {
            RabbitMqInbox inbox = new RabbitMqInbox(connect(port));
            Channel channel = inbox.connection.createChannel();
            channel.queueDeclare(queue, true, false, false, Map.of());
            if (!exchange.isEmpty()) {
                channel.queueBind(queue, exchange, routingKey);
            }
            channel.basicConsume(queue, true, (tag, message) -> inbox.take(message), tag -> {});
            return inbox;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection of the account guest to a broker on this machine. */
    public static Connection connect(int port) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setThreadFactory(Threads.numbered("inbox"));
        try {
            return factory.newConnection();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    @Override
    public void close() {
        connection.abort(1000);
    }

    private void take(Delivery message) {
        BasicProperties told = message.getProperties();
        Map<String, Object> headers = new HashMap<>(told.getHeaders());
        headers.replaceAll((name, value) -> value instanceof Number ? value : value.toString());
        Map<String, Object> properties = new HashMap<>(headers);
        properties.put("message-id", told.getMessageId());
        properties.put("type", told.getType());
        properties.put("correlation-id", told.getCorrelationId());
        properties.put("timestamp", told.getTimestamp());
        properties.put("priority", told.getPriority());
        properties.put("delivery-mode", told.getDeliveryMode());
        properties.put("content-type", told.getContentType());
        properties.put("routing-key", message.getEnvelope().getRoutingKey());
        arrivals.add(new Arrival(
                (String) headers.get("id"),
                (String) headers.get("subtopic"),
                (String) headers.get("bizKey"),
                (long) headers.get("dueTime"),
                new String(message.getBody(), UTF_8),
                System.currentTimeMillis(),
                properties));
    }
}
