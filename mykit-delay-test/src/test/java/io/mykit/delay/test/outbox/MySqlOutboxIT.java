package io.mykit.delay.test.outbox;

import io.mykit.delay.test.server.SharedServers;
import org.junit.jupiter.api.Tag;

/** An application with MySQL. */
@Tag("long")
class MySqlOutboxIT extends OutboxContract {
    @Override
    String script() {
        return "mysql";
    }

    @Override
    UrlDataSource freshDatabase() {
        return new UrlDataSource(SharedServers.mysql().freshDatabase("outbox"), "root");
    }

    @Override
    String zone() {
        return "SET time_zone = '+08:00'";
    }
}
