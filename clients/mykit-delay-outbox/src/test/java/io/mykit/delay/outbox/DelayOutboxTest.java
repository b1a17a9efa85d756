package io.mykit.delay.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.client.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the application writes. */
class DelayOutboxTest extends OutboxFixture {
    @Test
    void callsCommitAndRollBackWithTheTransaction() throws SQLException {
        try (Connection connection = database.source().getConnection()) {
            connection.setAutoCommit(false);
            outbox.push(connection, message("dropped"));
            outbox.cancel(connection, "dropped");
            connection.rollback();
            outbox.push(connection, message("kept"));
            assertThat(state().rows()).isZero();
            connection.commit();
        }
        assertThat(state().rows()).isOne();
        start();
        awaitEmpty();
        assertThat(server.calls()).containsExactly("push kept");
    }

    @Test
    void aConnectionInAutoCommitIsRefused() throws SQLException {
        try (Connection connection = database.source().getConnection()) {
            assertThatThrownBy(() -> outbox.push(connection, message("a")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("this connection is in auto-commit: setAutoCommit(false)");
            assertThatThrownBy(() -> outbox.reschedule(connection, "a", DELAY)).hasMessageContaining("auto-commit");
        }
        assertThat(state().rows()).isZero();
    }

    @Test
    void aDelayCountsFromTheCall() throws SQLException {
        push("a");
        long created = database.first("SELECT created_at FROM mykit_delay_outbox");
        start();
        awaitEmpty();
        assertThat(server.messages()).singleElement().satisfies(pushed -> {
            assertThat(pushed.integer("delay")).isEqualTo(DELAY.toMillis());
            assertThat(pushed.integer("createTime")).isEqualTo(created);
            assertThat(pushed.text("body")).isEqualTo("body of a");
        });
        assertThat(Instant.ofEpochMilli(created)).isBetween(Instant.now().minusSeconds(60), Instant.now());
    }

    @Test
    void aRescheduleCountsFromTheCallToo() throws SQLException {
        database.commit(connection -> {
            outbox.reschedule(connection, "a", DELAY);
            outbox.reschedule(connection, "a", Instant.ofEpochMilli(1_900_000_000_000L));
        });
        assertThat(database.first("SELECT due_at - created_at FROM mykit_delay_outbox ORDER BY row_id"))
                .isEqualTo(DELAY.toMillis());
        assertThat(database.first("SELECT due_at FROM mykit_delay_outbox ORDER BY row_id DESC"))
                .isEqualTo(1_900_000_000_000L);
    }

    @Test
    void allFieldsOfAMessageArrive() throws SQLException {
        String text = "\u4e2d\u6587 \ud83d\ude80 \"\\ \n\u0000";
        Message message =
                Message.builder("orders").body(text).priority(7).replace().build();
        database.commit(connection -> outbox.push(connection, message));
        start();
        awaitEmpty();
        assertThat(server.messages()).singleElement().satisfies(pushed -> {
            assertThat(pushed.text("id")).isEqualTo(message.id());
            assertThat(pushed.text("body")).isEqualTo(text);
            assertThat(pushed.integer("priority")).isEqualTo(7);
            assertThat(pushed.text("idempotencyKey")).isNotEmpty();
        });
    }

    @Test
    void aMissingTableNamesTheScript() {
        assertThatThrownBy(() -> DelayOutbox.open(Database.empty().source()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot read its table mykit_delay_outbox")
                .hasMessageContaining("io/mykit/delay/outbox/h2.sql in the jar of mykit-delay-outbox");
    }

    @Test
    void anOlderTableNamesTheScriptAndTheColumn() throws SQLException {
        database.execute("ALTER TABLE mykit_delay_outbox DROP COLUMN tries");
        assertThatThrownBy(() -> DelayOutbox.open(database.source()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is not that of this version")
                .hasMessageContaining("io/mykit/delay/outbox/h2.sql")
                .hasMessageContaining("TRIES");
    }

    @Test
    void theTableMayHaveAnotherNameAndASchema() throws SQLException {
        database.execute("CREATE SCHEMA shop");
        database.execute(DelayOutbox.ddl("h2", "shop.later").toArray(String[]::new));
        DelayOutbox other = DelayOutbox.open(database.source(), "shop.later");
        database.commit(connection -> other.push(connection, message("a")));
        assertThat(other.state().rows()).isOne();
        assertThat(state().rows()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a;DROP TABLE x", "1a", "a.", "a'b", "a.b.c.d", "\u8868"})
    void aNameThatIsNoneIsRefused(String name) {
        assertThatThrownBy(() -> DelayOutbox.open(database.source(), name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the name of the table has to be letters, digits and _");
    }

    @Test
    void valuesForWhichTheTableHasNoRoomAreRefused() throws SQLException {
        database.commit(connection -> {
            assertThatThrownBy(() -> outbox.cancel(connection, "x".repeat(129)))
                    .hasMessage("id has 129 characters; 1 to 128 are possible");
            assertThatThrownBy(() -> outbox.cancelOfKey(connection, "orders", ""))
                    .hasMessage("bizKey has 0 characters; 1 to 128 are possible");
            assertThatThrownBy(() -> outbox.reschedule(connection, "a", Duration.ofMillis(-1)))
                    .hasMessage("delay is negative: PT-0.001S");
        });
        assertThat(state().rows()).isZero();
    }

    @Test
    void theStateTellsTheAgeOfTheOldestCall() throws SQLException {
        assertThat(state()).isEqualTo(new OutboxState(0, Duration.ZERO, 0));
        push("a", "b");
        database.execute("UPDATE mykit_delay_outbox SET created_at = created_at - 90000 WHERE message_id = 'a'");
        assertThat(state().rows()).isEqualTo(2);
        assertThat(state().oldestAge()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(150));
    }
}
