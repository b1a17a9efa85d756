package io.mykit.delay.test.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;

/** The rows that the schema tests write before an upgrade: a message "waiting" and a message "dead". */
final class Upgraded {
    private static final long CHANGED_MS =
            Instant.parse("2026-01-02T03:04:05.678Z").toEpochMilli();

    /** The statements that write these rows into tables of the second version, in the database {@code schema_it}. */
    static final String[] SECOND_VERSION = {
        "INSERT INTO schema_it.mykit_delay_queue_job VALUES"
                + " ('waiting', 'k', 't', 's', 5, 10, 15, 'text', 1, 7, 3, 2, '2026-01-02 03:04:05.678', 4),"
                + " ('dead', '', 't', '', 5, 10, 15, '', 6, 0, 0, 16, '2026-01-02 03:04:05.678', 0)",
        "INSERT INTO schema_it.mykit_delay_queue_job_log (id, status, update_time)"
                + " VALUES ('waiting', 0, '2026-01-02 03:04:05.678')"
    };

    private Upgraded() {}

    /** Asserts that both messages are as before, and that the second one is listed as a dead letter. */
    static void assertKept(TestDatasource datasource) throws SQLException {
        try (MessageStore store = StoreFixture.open(datasource)) {
            assertThat(store.find("waiting"))
                    .contains(new StoredMessage(
                            new DelayMessage("waiting", "t", "s", "k", "text", 5, 10, 15, 3, 7, 4),
                            MessageStatus.DELAY,
                            2,
                            CHANGED_MS));
            assertThat(store.find("dead"))
                    .get()
                    .extracting(StoredMessage::status)
                    .isEqualTo(MessageStatus.FAILED);
            assertThat(store.flow("waiting")).hasSize(1);
        }
        try (Connection connection = DriverManager.getConnection(
                        datasource.url(), datasource.username().orElse(""), "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT id, topic, reason, detail, attempts, dead_time FROM mykit_delay_queue_dead")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString("id")).isEqualTo("dead");
            assertThat(rows.getString("topic")).isEqualTo("t");
            assertThat(rows.getString("reason")).isEqualTo("ATTEMPTS");
            assertThat(rows.getString("detail")).isEmpty();
            assertThat(rows.getInt("attempts")).isEqualTo(16);
            assertThat(rows.getLong("dead_time")).isEqualTo(CHANGED_MS);
            assertThat(rows.next()).isFalse();
        }
    }
}
