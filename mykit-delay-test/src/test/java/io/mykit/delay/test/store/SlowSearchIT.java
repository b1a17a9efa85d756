package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.test.store.Messages.fresh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.SharedServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The database itself ends a search that takes longer than a second, long before the timeout of the data source. */
@Tag("long")
class SlowSearchIT {
    @Test
    void mysqlEndsIt() throws SQLException {
        endsAfterASecond(SharedServers.mysql());
    }

    @Test
    void mariadbEndsIt() throws SQLException {
        endsAfterASecond(SharedServers.mariadb());
    }

    private static void endsAfterASecond(DatabaseServer server) throws SQLException {
        String url = server.freshDatabase("slow");
        TestDatasource patient = TestDatasource.of(url, DatabaseServer.USER).with(Duration.ofSeconds(30));
        try (MessageStore store = StoreFixture.open(patient);
                Connection other = DriverManager.getConnection(url, DatabaseServer.USER, "");
                Statement statement = other.createStatement()) {
            store.insert(List.of(fresh("a")));
            assertThat(store.search().byDue(DELAY, DueWindow.ALL, RowCursor.START, 9))
                    .hasSize(1);
            statement.execute("LOCK TABLES mykit_delay_queue_job WRITE");
            long begunNanos = System.nanoTime();
            assertThatThrownBy(() -> store.search().byDue(DELAY, DueWindow.ALL, RowCursor.START, 9))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("more than a second");
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos))
                    .isBetween(900L, 10_000L);
            statement.execute("UNLOCK TABLES");
            assertThat(store.search().byDue(DELAY, DueWindow.ALL, RowCursor.START, 9))
                    .as("the connection is usable, and the database is not taken for lost")
                    .hasSize(1);
            assertThat(store.check().up()).isTrue();
        }
    }
}
