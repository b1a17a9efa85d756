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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The embedded default: a file that is there again at the next start. */
class H2SchemaIT {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(
            strings = {"", ";DATABASE_TO_LOWER=TRUE", ";DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=TRUE"})
    void keepsMessagesOverARestart(String settings) {
        try (MessageStore store = StoreFixture.open(datasource(settings))) {
            store.insert(fresh("kept", 10));
        }
        try (MessageStore store = StoreFixture.open(datasource(settings))) {
            assertThat(store.find("kept0009")).isPresent();
        }
        try (MessageStore store = StoreFixture.open(datasource(settings).with(Schema.CHECK))) {
            assertThat(store.flow("kept0009")).hasSize(1);
        }
    }

    @Test
    void checkNamesWhatIsMissing() {
        assertThatThrownBy(() -> StoreFixture.open(datasource("").with(Schema.CHECK)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mykit_delay_queue_job")
                .hasMessageContaining("sql/V1__delay_queue.sql");
    }

    @Test
    void tablesOfTheOriginalAreLeftAlone() throws SQLException {
        try (Connection connection = DriverManager.getConnection(datasource("").url(), "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE mykit_delay_queue_job (id varchar(128), status int)");
        }
        assertThatThrownBy(() -> StoreFixture.open(datasource("")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mykit_delay_queue_job.due_time");
    }

    private TestDatasource datasource(String settings) {
        return TestDatasource.of("jdbc:h2:file:" + dir.toAbsolutePath() + "/store;MODE=MySQL" + settings, "sa");
    }
}
