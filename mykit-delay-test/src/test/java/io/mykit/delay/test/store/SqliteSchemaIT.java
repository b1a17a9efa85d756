package io.mykit.delay.test.store;

import static io.mykit.delay.test.store.Messages.fresh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.config.DatasourceConfig.Schema;
import io.mykit.delay.queue.store.MessageStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
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

    private TestDatasource datasource() {
        return TestDatasource.of("jdbc:sqlite:" + dir.resolve("store.db").toUri(), "");
    }
}
