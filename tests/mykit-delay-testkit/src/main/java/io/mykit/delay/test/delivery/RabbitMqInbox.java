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
    private static final int RECONNECT_MS = 200;

    private final Connection connection;
    private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();

    private RabbitMqInbox(Connection connection) {
        this.connection = connection;
    }

    /**
     * The messages of a queue through deaths of the broker: it connects again, and acknowledges each message. What the broker gives once more
     * for want of an acknowledgement is left out.
     */
    public static RabbitMqInbox enduring(int port, String queue) {
        ConnectionFactory factory = factory(port);
        factory.setAutomaticRecoveryEnabled(true);
        factory.setNetworkRecoveryInterval(RECONNECT_MS);
        try {
            RabbitMqInbox inbox = new RabbitMqInbox(connect(factory));
            Channel channel = inbox.connection.createChannel();
            channel.queueDeclare(queue, true, false, false, Map.of());
            channel.basicConsume(queue, false, (tag, message) -> inbox.acknowledge(channel, message), tag -> {});
            return inbox;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        ConnectionFactory factory = factory(port);
        factory.setAutomaticRecoveryEnabled(false);
        return connect(factory);
    }

    private static ConnectionFactory factory(int port) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setThreadFactory(Threads.numbered("inbox"));
        return factory;
    }

    private static Connection connect(ConnectionFactory factory) {
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

    private void acknowledge(Channel channel, Delivery message) throws IOException {
        Arrival arrival = arrival(message);
        boolean again =
                message.getEnvelope().isRedeliver() && arrivals.stream().anyMatch(before -> isSame(before, arrival));
        if (!again) {
            arrivals.add(arrival);
        }
        channel.basicAck(message.getEnvelope().getDeliveryTag(), false);
    }

    private static boolean isSame(Arrival one, Arrival other) {
        return one.id().equals(other.id())
                && one.dueTimeMs() == other.dueTimeMs()
                && one.body().equals(other.body());
    }

    private void take(Delivery message) {
        arrivals.add(arrival(message));
    }

    private static Arrival arrival(Delivery message) {
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
        return new Arrival(
                (String) headers.get("id"),
                (String) headers.get("subtopic"),
                (String) headers.get("bizKey"),
                (long) headers.get("dueTime"),
                new String(message.getBody(), UTF_8),
                System.currentTimeMillis(),
                properties);
    }
}
