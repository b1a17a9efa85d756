package io.mykit.delay.test.delivery;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.QpidServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the channel rabbitmq on Apache Qpid Broker-J, which Maven brings. */
@Tag("long")
class RabbitMqOnQpidIT extends RabbitMqContract {
    @Override
    protected AmqpBroker start(Path dir) {
        return QpidServer.start(dir);
    }

    @Test
    void opensBeforeTheBrokerIsThere(@TempDir Path other) {
        String topic = Messages.newTopic();
        try (QpidServer later = QpidServer.prepare(other);
                DeliveryChannel early = AmqpChannels.open(later.address(), Map.of())) {
            ChannelFaults.assertUnavailable(early, topic, 2, 100);
            ChannelFaults.assertHealth(early, false);

            later.restart();
            AmqpChannels.declareQueue(later.port(), topic, Map.of());
            ChannelFaults.awaitDelivered(early, topic);
            ChannelFaults.assertHealth(early, true);
        }
    }
}
