package io.mykit.delay.test.delivery;

import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.QpidServer;
import io.mykit.delay.test.server.TestCertificate;
import java.nio.file.Path;

/** Accounts and TLS of the channel rabbitmq on Apache Qpid Broker-J, which Maven brings. */
class QpidSecuredIT extends RabbitMqSecuredContract {
    private AmqpBroker qpid;

    @Override
    protected AmqpBroker start(Path dir, TestCertificate certificate) {
        qpid = QpidServer.startTls(dir, certificate);
        return qpid;
    }

    @Override
    protected int tlsPort() {
        return qpid.port();
    }
}
