package io.mykit.delay.test.delivery;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.QpidServer;
import io.mykit.delay.test.server.RabbitMqServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** The faults of the channel rabbitmq on Apache Qpid Broker-J, which Maven brings: for machines without RabbitMQ. */
@Tag("long")
class QpidFaultIT extends AmqpFaultContract {
    @Override
    protected AmqpBroker start(Path dir) {
        assumeFalse(RabbitMqServer.isInstalled(), "RabbitMqFaultIT has them on RabbitMQ itself");
        return QpidServer.start(dir, BROKERS_LIMIT);
    }
}
