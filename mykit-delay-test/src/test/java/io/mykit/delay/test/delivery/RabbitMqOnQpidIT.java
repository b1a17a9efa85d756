package io.mykit.delay.test.delivery;

import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.QpidServer;
import java.nio.file.Path;

/** The contract of the channel rabbitmq on Apache Qpid Broker-J, which Maven brings. */
class RabbitMqOnQpidIT extends RabbitMqContract {
    @Override
    protected AmqpBroker start(Path dir) {
        return QpidServer.start(dir);
    }
}
