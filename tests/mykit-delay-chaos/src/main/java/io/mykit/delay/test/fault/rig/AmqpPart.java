package io.mykit.delay.test.fault.rig;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.delivery.RabbitMqInbox;
import io.mykit.delay.test.server.AmqpBroker;
import java.util.List;
import java.util.Map;

/** A broker of AMQP 0-9-1 for the channel rabbitmq. Each topic has a queue of its name, which its inbox declares. */
final class AmqpPart extends OneServer<AmqpBroker> implements Broker {
    AmqpPart(AmqpBroker server) {
        super(server);
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public Map<String, String> settings(int port) {
        return Map.of("delivery.default-channel", "rabbitmq", "rabbitmq.addresses", "127.0.0.1:" + port);
    }

    @Override
    public void create(List<String> topics) {
        // A topic without a queue waits for its inbox.
    }

    @Override
    public Inbox inbox(String topic) {
        return RabbitMqInbox.enduring(server.port(), topic);
    }

    @Override
    public String repetitionKey(Arrival arrival) {
        // The inbox leaves them out: the broker marks them.
        return "";
    }
}
