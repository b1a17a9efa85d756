package io.mykit.delay.test.store;

import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.config.DatasourceConfig.Schema;
import io.mykit.delay.queue.store.MessageStore;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded default: a file that is there again at the next start. */
class SqliteSchemaIT {
    @TempDir
    Path dir;

    @Test
    void keepsMessagesOverARestart() {
        try (MessageStore store = StoreFixture.open(datasource())) {
            store.insert(fresh("kept", 10));
        }
        try (MessageStore store = StoreFixture.open(datasource())) {
            assertThat(store.find("kept0009")).isPresent();
        }
        try (MessageStore store = StoreFixture.open(datasource().with(Schema.CHECK))) {
            assertThat(store.flow("kept0009")).hasSize(1);
        }
    }

    @Test
    void checkNamesWhatIsMissing() {
        assertThatThrownBy(() -> StoreFixture.open(datasource().with(Schema.CHECK)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mykit_delay_queue_job")
                .hasMessageContaining("sql/embedded/V1__delay_queue.sql");
    }

    @Test
    void tablesOfTheOriginalAreLeftAlone() throws SQLException {
        try (Connection connection = DriverManager.getConnection(datasource().url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE mykit_delay_queue_job (id varchar(128), status int)");
        }
        assertThatThrownBy(() -> StoreFixture.open(datasource()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mykit_delay_queue_job.due_time");
    }

    @Test
    void messagesOfTheFirstVersionSurviveTheUpgrade() throws Exception {
        try (Connection connection = DriverManager.getConnection(datasource().url());
                Statement statement = connection.createStatement();
                InputStream script = MessageStore.class.getResourceAsStream("/sql-embedded/V1__delay_queue.sql")) {
            statement.executeUpdate(new String(script.readAllBytes(), StandardCharsets.UTF_8));
            statement.execute("INSERT INTO mykit_delay_queue_job VALUES"
                    + " ('waiting', 'k', 't', 's', 5, 10, 15, 1, 7, 3, 2, '2026-01-02 03:04:05.678', 4, 'text'),"
                    + " ('dead', '', 't', '', 5, 10, 15, 6, 0, 0, 16, '2026-01-02 03:04:05.678', 0, '')");
            statement.execute("INSERT INTO mykit_delay_queue_job_log (id, status, update_time)"
                    + " VALUES ('waiting', 0, '2026-01-02 03:04:05.678')");
        }
        assertThatThrownBy(() -> StoreFixture.open(datasource().with(Schema.CHECK)))
                .hasMessageContainingAll("mykit_delay_queue_dead", "mykit_delay_queue_job.encoding")
                .hasMessageContaining("run sql/embedded/V3__message_extras.sql, sql/embedded/V4__topic_settings.sql,"
                        + " sql/embedded/V5__results.sql, sql/embedded/V6__flow_in_rows.sql,"
                        + " sql/embedded/V7__topic_policies.sql, sql/embedded/V8__audit.sql,"
                        + " sql/embedded/V9__tokens.sql, sql/embedded/V10__limits.sql");
        try (MessageStore store = StoreFixture.open(datasource())) {
            store.insert(List.of(fresh(message("i".repeat(193), ""))));
            assertThat(store.flow("i".repeat(193))).hasSize(1);
        }
        Upgraded.assertKept(datasource());
    }

    @Test
    void movesOfTheFifthVersionSurviveTheUpgrade() throws Exception {
        try (Connection connection = DriverManager.getConnection(datasource().url());
                Statement statement = connection.createStatement()) {
            for (String name : List.of(
                    "V1__delay_queue.sql", "V3__message_extras.sql", "V4__topic_settings.sql", "V5__results.sql")) {
                try (InputStream script = MessageStore.class.getResourceAsStream("/sql-embedded/" + name)) {
                    statement.executeUpdate(new String(script.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
            for (String insert : Upgraded.FIFTH_VERSION) {
                statement.executeUpdate(insert.replace("schema_it.", ""));
            }
        }
        Upgraded.assertMovesKept(datasource());
    }

    private TestDatasource datasource() {
        return TestDatasource.of("jdbc:sqlite:" + dir.resolve("store.db").toUri(), "");
    }
}
