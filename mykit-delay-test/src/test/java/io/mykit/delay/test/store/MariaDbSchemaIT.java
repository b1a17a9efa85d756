package io.mykit.delay.test.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.DatasourceConfig.Schema;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.MariaDbServer;
import io.mykit.delay.test.server.SharedServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The scripts of the schema on MariaDB, one after the other with messages in the tables. */
@Tag("long")
class MariaDbSchemaIT {
    private static final String DATABASE = "schema_it";

    private final MariaDbServer server = SharedServers.mariadb();
    private final TestDatasource datasource = TestDatasource.of(server.freshDatabase(DATABASE), DatabaseServer.USER);

    @Test
    void messagesOfTheSecondVersionSurviveTheUpgrade() throws Exception {
        runScript("V1__delay_queue.sql");
        runScript("V2__message_version.sql");
        server.execute(Upgraded.SECOND_VERSION);
        Upgraded.assertKept(datasource);
        Upgraded.assertKept(datasource.with(Schema.CHECK));
    }

    @Test
    void theScriptsOfADbaMakeTablesThatWillDo() throws Exception {
        runScript("V1__delay_queue.sql");
        runScript("V2__message_version.sql");
        runScript("V3__message_extras.sql");
        runScript("V4__topic_settings.sql");
        runScript("V5__results.sql");
        runScript("V6__flow_in_rows.sql");
        runScript("V7__topic_policies.sql");
        runScript("V8__audit.sql");
        runScript("V9__tokens.sql");
        runScript("V10__limits.sql");
        try (MessageStore store = StoreFixture.open(datasource.with(Schema.CHECK))) {
            assertThat(store.countDead()).isZero();
        }
    }

    @Test
    void movesOfTheFifthVersionSurviveTheUpgrade() throws Exception {
        runScript("V1__delay_queue.sql");
        runScript("V2__message_version.sql");
        runScript("V3__message_extras.sql");
        runScript("V4__topic_settings.sql");
        runScript("V5__results.sql");
        server.execute(Upgraded.FIFTH_VERSION);
        Upgraded.assertMovesKept(datasource);
    }

    private void runScript(String name) throws Exception {
        SchemaScripts.run(server, DATABASE, name);
    }
}
