package io.mykit.delay.test.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.test.message.MessageBuilder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;

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

    /** Messages of the fifth version, which logged all moves: "delivered" has ended, "scheduled" waits. */
    static final String[] FIFTH_VERSION = {
        "INSERT INTO schema_it.mykit_delay_queue_job"
                + " (id, topic, delay, create_time, due_time, body, status, update_time) VALUES"
                + " ('delivered', 't', 5, 10, 15, '', 3, '2026-01-02 03:04:05.678'),"
                + " ('scheduled', 't', 5, 10, 15, '', 1, '2026-01-02 03:04:05.678')",
        "INSERT INTO schema_it.mykit_delay_queue_job_log (id, from_status, status, thread, host, update_time) VALUES"
                + " ('delivered', NULL, 1, 'intake', 'older', '2026-01-02 03:04:05.600'),"
                + " ('scheduled', NULL, 1, 'intake', 'older', '2026-01-02 03:04:05.600'),"
                + " ('delivered', 1, 2, 'bucket-1', 'older', '2026-01-02 03:04:05.677'),"
                + " ('delivered', 2, 3, 'bucket-1', 'older', '2026-01-02 03:04:05.678')"
    };

    private Upgraded() {}

    /** Asserts that both messages of the fifth version have their moves, and that further moves follow them. */
    static void assertMovesKept(TestDatasource datasource) {
        try (MessageStore store = StoreFixture.open(datasource)) {
            StatusFlow last = new StatusFlow(
                    "delivered", MessageStatus.READY, MessageStatus.FINISH, CHANGED_MS, "bucket-1", "older", 0, "");
            assertThat(store.flow("delivered")).hasSize(3).last().isEqualTo(last);
            store.move(List.of(
                    Messages.move("scheduled", MessageStatus.DELAY, MessageStatus.READY, MessageStatus.FINISH),
                    Messages.move("delivered", MessageStatus.FINISH, MessageStatus.RESTORE, MessageStatus.DELAY)));
            assertThat(store.flow("scheduled"))
                    .extracting(StatusFlow::to)
                    .containsExactly(MessageStatus.DELAY, MessageStatus.READY, MessageStatus.FINISH);
            assertThat(store.flow("delivered")).hasSize(5).element(2).isEqualTo(last);
            assertThat(store.remove(MessageStatus.FINISH, StoreFixture.NOW + 1, List.of("scheduled")))
                    .isEqualTo(1);
            assertThat(store.flow("scheduled")).isEmpty();
        }
    }

    /** Asserts that both messages are as before, and that the second one is listed as a dead letter. */
    static void assertKept(TestDatasource datasource) throws SQLException {
        try (MessageStore store = StoreFixture.open(datasource)) {
            assertThat(store.find("waiting"))
                    .contains(new StoredMessage(
                            MessageBuilder.withId("waiting")
                                    .subtopic("s")
                                    .bizKey("k")
                                    .body("text")
                                    .created(10)
                                    .delay(5)
                                    .priority(3)
                                    .ttl(7)
                                    .version(4)
                                    .build(),
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
