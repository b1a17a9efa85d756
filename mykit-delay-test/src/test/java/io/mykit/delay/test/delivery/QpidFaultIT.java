package io.mykit.delay.test.delivery;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.QpidServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The faults of the channel rabbitmq on Apache Qpid Broker-J, which Maven brings. */
@Tag("long")
class QpidFaultIT extends AmqpFaultContract {
    @Override
    protected AmqpBroker start(Path dir) {
        return QpidServer.start(dir, BROKERS_LIMIT);
    }

    @Test
    void opensBeforeTheBrokerIsThere(@TempDir Path other) {
        try (QpidServer later = QpidServer.prepare(other);
                DeliveryChannel early = AmqpChannels.open(later.address(), Map.of())) {
            ChannelFaults.assertUnavailable(early, TOPIC, 2, 100);
            ChannelFaults.assertHealth(early, false);

            later.restart();
            AmqpChannels.declareQueue(later.port(), TOPIC, Map.of());
            ChannelFaults.awaitDelivered(early, TOPIC);
            ChannelFaults.assertHealth(early, true);
        }
    }
}
