package io.mykit.delay.test.store;

import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.SharedServers;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class MariaDbMessageStoreIT extends MessageStoreContract {
    @Override
    protected TestDatasource emptyDatabase() {
        return TestDatasource.of(SharedServers.mariadb().freshDatabase("store"), DatabaseServer.USER);
    }

    @Override
    protected TestDatasource inTimeZone(TestDatasource database, String zone) {
        return database.at(database.url() + "&sessionVariables=time_zone='" + zone.replace("+", "%2B") + "'");
    }
}
