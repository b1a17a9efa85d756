package io.mykit.delay.test.delivery;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.rabbitmq.RabbitMqChannelFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** What tests of the channel rabbitmq need of a broker: a channel to it, queues and exchanges. */
final class AmqpChannels {
    private AmqpChannels() {}

    /** @param keys of the section rabbitmq */
    static DeliveryChannel open(String addresses, Map<String, String> keys) {
        return open(addresses, keys, ChannelFaults.SEND_TIMEOUT.toMillis() + "ms");
    }

    static DeliveryChannel open(String addresses, Map<String, String> keys, String sendTimeout) {
        Map<String, String> full = new HashMap<>();
        keys.forEach((key, value) -> full.put("rabbitmq." + key, value));
        full.put("rabbitmq.addresses", addresses);
        full.put("delivery.send-timeout", sendTimeout);
        return ChannelConfig.open(new RabbitMqChannelFactory(), full);
    }

    /** A durable queue. */
    static void declareQueue(int port, String queue, Map<String, Object> arguments) {
        with(port, channel -> channel.queueDeclare(queue, true, false, false, arguments));
    }

    /** A durable queue that a durable topic exchange reaches by this key. */
    static void bind(int port, String exchange, String queue, String key) {
        with(port, channel -> {
            channel.exchangeDeclare(exchange, "topic", true);
            channel.queueDeclare(queue, true, false, false, Map.of());
            return channel.queueBind(queue, exchange, key);
        });
    }

    private static void with(int port, Setup setup) {
        try (Connection connection = RabbitMqInbox.connect(port)) {
            setup.run(connection.createChannel());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Setup {
        Object run(Channel channel) throws IOException;
    }
}
