package io.mykit.delay.test.delivery;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.RabbitMqServer;
import io.mykit.delay.test.server.TestCertificate;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Accounts and TLS of the channel rabbitmq on RabbitMQ itself, where that is installed. */
@Tag("long")
class RabbitMqSecuredIT extends RabbitMqSecuredContract {
    private final int tlsPort = FreePorts.next();

    @Override
    protected AmqpBroker start(Path dir, TestCertificate certificate) {
        assumeTrue(RabbitMqServer.isInstalled(), RabbitMqServer.reason());
        return RabbitMqServer.start(dir, RabbitMqServer.tls(certificate, tlsPort));
    }

    @Override
    protected int tlsPort() {
        return tlsPort;
    }
}
