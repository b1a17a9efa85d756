package io.mykit.delay.test.delivery;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.RabbitMqServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** The contract of the channel rabbitmq on RabbitMQ itself, where that is installed. */
@Tag("long")
class RabbitMqChannelIT extends RabbitMqContract {
    @Override
    protected AmqpBroker start(Path dir) {
        assumeTrue(RabbitMqServer.isInstalled(), RabbitMqServer.reason());
        return RabbitMqServer.start(dir);
    }
}
