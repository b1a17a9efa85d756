package io.mykit.delay.test.outbox;

import io.mykit.delay.test.server.SharedServers;
import org.junit.jupiter.api.Tag;

/** An application with MariaDB. */
@Tag("nightly")
class MariaDbOutboxIT extends OutboxContract {
    @Override
    String script() {
        return "mysql";
    }

    @Override
    UrlDataSource freshDatabase() {
        return new UrlDataSource(SharedServers.mariadb().freshDatabase("outbox"), "root");
    }

    @Override
    String zone() {
        return "SET time_zone = '+08:00'";
    }
}
