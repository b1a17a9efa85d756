package io.mykit.delay.test.delivery;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.QpidServer;
import io.mykit.delay.test.server.RabbitMqServer;
import io.mykit.delay.test.server.TestCertificate;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Accounts and TLS of the channel rabbitmq on Apache Qpid Broker-J, which Maven brings: for machines without RabbitMQ. */
@Tag("nightly")
class QpidSecuredIT extends RabbitMqSecuredContract {
    private AmqpBroker qpid;

    @Override
    protected AmqpBroker start(Path dir, TestCertificate certificate) {
        assumeFalse(RabbitMqServer.isInstalled(), "RabbitMqSecuredIT has them on RabbitMQ itself");
        qpid = QpidServer.startTls(dir, certificate);
        return qpid;
    }

    @Override
    protected int tlsPort() {
        return qpid.port();
    }
}
