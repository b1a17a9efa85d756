package io.mykit.delay.test.store;

import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.DatasourceConfig.Schema;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.SharedServers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The creation of the tables, and the errors when it fails. */
@Tag("long")
class MySqlSchemaIT {
    private static final String HISTORY = "mykit_delay_schema_history";

    private final MySqlServer server = SharedServers.mysql();
    private String url;

    @BeforeEach
    void emptyDatabase() {
        url = server.freshDatabase("schema_it");
        server.execute(
                "DROP USER IF EXISTS bounded@localhost",
                "CREATE USER bounded@localhost IDENTIFIED BY ''",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON schema_it.* TO bounded@localhost");
    }

    @Test
    void isAppliedOnce() throws SQLException {
        works(root());
        works(root());
        assertThat(tables()).contains(HISTORY);
    }

    @RepeatedTest(5)
    void severalNodesMayStartAtOnce() throws Exception {
        ExecutorService nodes = Executors.newFixedThreadPool(4);
        try {
            CyclicBarrier barrier = new CyclicBarrier(4);
            List<Future<?>> starting = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                starting.add(nodes.submit(() -> {
                    barrier.await(10, TimeUnit.SECONDS);
                    works(root());
                    return null;
                }));
            }
            for (Future<?> one : starting) {
                one.get(30, TimeUnit.SECONDS);
            }
        } finally {
            nodes.shutdownNow();
        }
    }

    @Test
    void otherTablesInTheDatabaseAreNoObstacle() {
        server.execute("CREATE TABLE schema_it.somebody_elses (id int)");
        works(root());
    }

    @Test
    void checkChangesNothing() throws Exception {
        assertThatThrownBy(() -> StoreFixture.open(bounded().with(Schema.CHECK)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mykit_delay_queue_job_log")
                .hasMessageContaining("sql/V1__delay_queue.sql");
        assertThat(tables()).isEmpty();

        runScripts();
        works(bounded().with(Schema.CHECK));
        assertThat(tables()).doesNotContain(HISTORY);
    }

    @Test
    void checkNamesTheMissingColumn() throws Exception {
        runScripts();
        server.execute("ALTER TABLE schema_it.mykit_delay_queue_job DROP COLUMN priority");
        assertThatThrownBy(() -> StoreFixture.open(bounded().with(Schema.CHECK)))
                .hasMessageContaining("[mykit_delay_queue_job.priority]");
    }

    @Test
    void withoutTheRightToCreateTablesThoseOfTheScriptWillDo() throws Exception {
        assertThatThrownBy(() -> StoreFixture.open(bounded()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("sql/V1__delay_queue.sql")
                .hasMessageContaining("mykit.delay.datasource.schema=check");
        assertThat(tables()).isEmpty();

        runScripts();
        works(bounded());
    }

    /** By hand, or by a build that did not know versions. */
    @Test
    void tablesThatLackWhatCameLaterAreCompleted() throws Exception {
        runScript("V1__delay_queue.sql");
        assertThatThrownBy(() -> StoreFixture.open(bounded().with(Schema.CHECK)))
                .hasMessageContaining("mykit_delay_queue_job.version")
                .hasMessageContaining("run sql/V2__message_version.sql, sql/V3__message_extras.sql,"
                        + " sql/V4__topic_settings.sql, sql/V5__results.sql, sql/V6__flow_in_rows.sql,"
                        + " sql/V7__topic_policies.sql, sql/V8__audit.sql, sql/V9__tokens.sql, sql/V10__limits.sql");
        works(root());
        works(root());
    }

    @Test
    void messagesOfTheSecondVersionSurviveTheUpgrade() throws Exception {
        runScript("V1__delay_queue.sql");
        runScript("V2__message_version.sql");
        server.execute(Upgraded.SECOND_VERSION);
        assertThatThrownBy(() -> StoreFixture.open(root().with(Schema.CHECK)))
                .hasMessageContainingAll("mykit_delay_queue_dead", "mykit_delay_queue_job.encoding")
                .hasMessageContaining(
                        "run sql/V3__message_extras.sql, sql/V4__topic_settings.sql, sql/V5__results.sql, sql/V6__flow_in_rows.sql,"
                                + " sql/V7__topic_policies.sql, sql/V8__audit.sql, sql/V9__tokens.sql, sql/V10__limits.sql");
        works(root());
        works(root().with(Schema.CHECK));
        Upgraded.assertKept(root());
    }

    @Test
    void tablesOfTheThirdVersionMadeByHandAreCompleted() throws Exception {
        runScript("V1__delay_queue.sql");
        runScript("V2__message_version.sql");
        runScript("V3__message_extras.sql");
        assertThatThrownBy(() -> StoreFixture.open(root().with(Schema.CHECK)))
                .hasMessageContainingAll(
                        "mykit_delay_queue_result, mykit_delay_queue_topic, mykit_delay_queue_topic_policy, mykit_delay_token]",
                        "mykit_delay_queue_job.ended")
                .hasMessageContaining("run sql/V4__topic_settings.sql, sql/V5__results.sql, sql/V6__flow_in_rows.sql,"
                        + " sql/V7__topic_policies.sql, sql/V8__audit.sql, sql/V9__tokens.sql, sql/V10__limits.sql");
        works(root());
        works(root().with(Schema.CHECK));
    }

    @Test
    void movesOfTheFifthVersionSurviveTheUpgrade() throws Exception {
        for (String script : List.of(
                "V1__delay_queue.sql",
                "V2__message_version.sql",
                "V3__message_extras.sql",
                "V4__topic_settings.sql",
                "V5__results.sql")) {
            runScript(script);
        }
        server.execute(Upgraded.FIFTH_VERSION);
        assertThatThrownBy(() -> StoreFixture.open(root().with(Schema.CHECK)))
                .hasMessageContaining(
                        "run sql/V6__flow_in_rows.sql, sql/V7__topic_policies.sql, sql/V8__audit.sql, sql/V9__tokens.sql, sql/V10__limits.sql, or");
        Upgraded.assertMovesKept(root());
    }

    @Test
    void tablesMadeByHandWillDo() throws Exception {
        runScripts();
        works(root());
        works(root());
        assertThat(tables()).doesNotContain(HISTORY);
    }

    @Test
    void tablesOfTheOriginalAreLeftAlone() throws SQLException {
        server.execute("CREATE TABLE schema_it.mykit_delay_queue_job (id varchar(128) PRIMARY KEY, bizkey varchar(128),"
                + " topic varchar(128), subtopic varchar(250), delay bigint, create_time bigint, body text, status int,"
                + " ttl int, update_time datetime(3))");
        assertThatThrownBy(() -> StoreFixture.open(root()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another version of mykit-delay")
                .hasMessageContaining("mykit_delay_queue_job.due_time");
        assertThat(tables()).containsExactly("mykit_delay_queue_job");
    }

    @Test
    void aWrongPasswordIsSaidAndNotShown() {
        TestDatasource wrong = root().at(url + "&password=geheim");
        server.execute("ALTER USER bounded@localhost IDENTIFIED BY 'right'");
        assertThatThrownBy(() -> StoreFixture.open(bounded()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Access denied")
                .hasMessageContaining("mykit.delay.datasource.password");
        assertThatThrownBy(
                        () -> StoreFixture.open(wrong.at(url + "&user=bounded&password=geheim&useAffectedRows=true")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("geheim");
    }

    @Test
    void aDatabaseThatIsNotThereIsAMatterOfConfiguration() {
        assertThatThrownBy(() -> StoreFixture.open(root().at(url.replace("schema_it", "no_such"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Unknown database 'no_such'")
                .hasMessageContaining("mykit.delay.datasource.url");
        server.execute("CREATE DATABASE IF NOT EXISTS others");
        assertThatThrownBy(() -> StoreFixture.open(bounded().at(url.replace("schema_it", "others"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Access denied")
                .hasMessageContaining("mykit.delay.datasource.username");
        assertThatThrownBy(() -> StoreFixture.open(root().at("jdbc:nosuch://127.0.0.1/db")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("No suitable driver")
                .hasMessageContaining("mykit.delay.datasource.url");
    }

    @Test
    void aServerThatIsAwayIsNone() {
        assertThatThrownBy(() -> StoreFixture.open(root().at("jdbc:mysql://127.0.0.1:1/schema_it")))
                .isInstanceOf(StoreUnavailableException.class);
    }

    private TestDatasource root() {
        return TestDatasource.of(url, DatabaseServer.USER);
    }

    private TestDatasource bounded() {
        return TestDatasource.of(url, "bounded");
    }

    private static void works(TestDatasource datasource) {
        try (MessageStore store = StoreFixture.open(datasource)) {
            store.insert(List.of(fresh("a")));
            assertThat(store.find("a")).isPresent();
            store.insert(List.of(fresh(message("i".repeat(193), ""))));
            assertThat(store.flow("i".repeat(193))).hasSize(1);
        }
    }

    /** The steps of a DBA. */
    private void runScripts() throws IOException {
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
    }

    private void runScript(String name) throws IOException {
        SchemaScripts.run(server, "schema_it", name);
    }

    private List<String> tables() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url, DatabaseServer.USER, "");
                ResultSet rows = connection.getMetaData().getTables("schema_it", null, "%", null)) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_NAME"));
            }
        }
        return tables;
    }
}
