package io.mykit.delay.test.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.DatasourceConfig.Schema;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.MariaDbServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The scripts of the schema on MariaDB, one after the other with messages in the tables. */
class MariaDbSchemaIT {
    private static final String DATABASE = "schema_it";

    private final MariaDbServer server = SharedServers.mariadb();
    private final TestDatasource datasource = TestDatasource.of(server.freshDatabase(DATABASE), DatabaseServer.USER);

    @Test
    void messagesOfTheSecondVersionSurviveTheUpgrade() throws Exception {
        runScript("V1__delay_queue.sql");
        runScript("V2__message_version.sql");
        server.execute(
                "INSERT INTO schema_it.mykit_delay_queue_job VALUES"
                        + " ('waiting', 'k', 't', 's', 5, 10, 15, 'text', 1, 7, 3, 2, '2026-01-02 03:04:05.678', 4),"
                        + " ('dead', '', 't', '', 5, 10, 15, '', 6, 0, 0, 16, '2026-01-02 03:04:05.678', 0)",
                "INSERT INTO schema_it.mykit_delay_queue_job_log (id, status, update_time)"
                        + " VALUES ('waiting', 0, '2026-01-02 03:04:05.678')");
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
        try (MessageStore store = StoreFixture.open(datasource.with(Schema.CHECK))) {
            assertThat(store.countDead()).isZero();
        }
    }

    private void runScript(String name) throws Exception {
        try (var script = MessageStore.class.getResourceAsStream("/sql/" + name)) {
            String all = new String(script.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^--.*$", "");
            Stream.of(all.split(";", -1))
                    .filter(statement -> !statement.isBlank())
                    .forEach(statement -> server.execute("USE " + DATABASE, statement));
        }
    }
}
