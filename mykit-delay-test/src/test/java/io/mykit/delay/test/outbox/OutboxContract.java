package io.mykit.delay.test.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NESTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRES_NEW;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.MessageStatus;
import io.mykit.delay.client.MessageView;
import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.outbox.OutboxListener;
import io.mykit.delay.outbox.OutboxRelay;
import io.mykit.delay.outbox.SetAside;
import io.mykit.delay.spring.DelayTemplate;
import io.mykit.delay.spring.PayloadFormat;
import io.mykit.delay.spring.outbox.OutboxCalls;
import io.mykit.delay.spring.outbox.Rows;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** What an outbox promises on each database, with a packaged server behind it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OutboxContract {
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<OutboxRelay> relays = new ArrayList<>();
    private DelayServer server;
    private DelayClient client;
    private UrlDataSource database;
    private DelayOutbox outbox;

    /** The script of the database: {@code mysql}. */
    abstract String script();

    /** An empty database. */
    abstract UrlDataSource freshDatabase();

    /** A statement that sets another time zone for the session. */
    abstract String zone();

    @BeforeAll
    void startServer(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        server = DelayServer.start(
                "server",
                dir.resolve("server"),
                Map.of("activemq.embedded-port", Integer.toString(FreePorts.next()), "delivery.topics.outbox", "pull"));
        client = DelayClient.builder().endpoint(server.url()).build();
    }

    @AfterAll
    void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void open() throws SQLException {
        database = freshDatabase();
        database.execute(DelayOutbox.ddl(script(), "mykit_delay_outbox").toArray(String[]::new));
        outbox = DelayOutbox.open(database);
    }

    @AfterEach
    void closeRelays() {
        relays.forEach(OutboxRelay::close);
        relays.clear();
    }

    private OutboxRelay start(OutboxListener listener) {
        OutboxRelay relay = outbox.relay(client)
                .listener(listener)
                .poll(Duration.ofMillis(20))
                .start();
        relays.add(relay);
        return relay;
    }

    /** The statements of an application. */
    private interface Work {
        void run(Connection connection) throws SQLException;
    }

    private void commit(Work work) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            work.run(connection);
            connection.commit();
        }
    }

    private static Message message(String id, String body) {
        return Message.builder("outbox").id(id).body(body).delay(HOUR).build();
    }

    private String unique(String name) {
        return name + "-" + script() + "-" + System.nanoTime();
    }

    private long first(String query) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void awaitEmpty() {
        await().atMost(Duration.ofSeconds(60)).until(() -> outbox.state().rows() == 0);
    }

    private MessageView found(String id) {
        return client.find(id).orElseThrow();
    }

    @Test
    void callsCommitAndRollBackWithTheTransaction() throws SQLException {
        String dropped = unique("dropped");
        String kept = unique("kept");
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.push(connection, message(dropped, ""));
            connection.rollback();
            outbox.push(connection, message(kept, ""));
            connection.commit();
        }
        start(OutboxListener.NONE);
        awaitEmpty();
        assertThat(found(kept).status()).isIn(MessageStatus.WAIT_PUT, MessageStatus.DELAY);
        assertThat(client.find(dropped)).isEmpty();
    }

    @Test
    void aRollbackToASavepointTakesTheCallsAfterIt() throws SQLException {
        String before = unique("before");
        String after = unique("after");
        commit(connection -> {
            outbox.push(connection, message(before, ""));
            Savepoint savepoint = connection.setSavepoint();
            outbox.push(connection, message(after, ""));
            connection.rollback(savepoint);
            outbox.reschedule(connection, before, HOUR.multipliedBy(2));
        });
        start(OutboxListener.NONE);
        awaitEmpty();
        assertThat(found(before).dueTime())
                .isAfter(Instant.ofEpochMilli(System.currentTimeMillis()).plus(HOUR));
        assertThat(client.find(after)).isEmpty();
    }

    /** With REPEATABLE READ, InnoDB of MySQL keeps the end of the table locked after such a rollback, and the push in between fails. */
    @Test
    void afterARollbackToASavepointOthersPushIfTheTransactionReadsWhatIsCommitted() throws SQLException {
        String before = unique("before");
        String between = unique("between");
        try (Connection connection = database.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            outbox.push(connection, message(before, ""));
            Savepoint savepoint = connection.setSavepoint();
            outbox.push(connection, message(unique("after"), ""));
            connection.rollback(savepoint);
            commit(other -> outbox.push(other, message(between, "")));
            connection.commit();
        }
        assertThat(outbox.state().rows()).isEqualTo(2);
    }

    @Test
    void callsBelongToTheTransactionOfSpring() throws SQLException {
        DelayTemplate template =
                new DelayTemplate(new NoObjects(), new OutboxCalls(outbox, new Rows(database, "shop", () -> {})));
        SpringTransactions transactions = new SpringTransactions(database);
        String kept = unique("kept");
        List<String> lost = List.of(unique("nested"), unique("inner"), unique("outer"));
        List<String> own = List.of(unique("own"), unique("alone"));
        transactions.run(PROPAGATION_REQUIRED, outer -> {
            send(template, kept);
            transactions.run(PROPAGATION_NESTED, nested -> {
                send(template, lost.get(0));
                nested.setRollbackOnly();
            });
        });
        // No savepoint before it: the outer transaction would lock out the inner one (docs/outbox.md, nested
        // transactions).
        transactions.run(
                PROPAGATION_REQUIRED,
                outer -> transactions.run(PROPAGATION_REQUIRES_NEW, inner -> {
                    send(template, lost.get(1));
                    inner.setRollbackOnly();
                }));
        transactions.run(PROPAGATION_REQUIRED, outer -> {
            send(template, lost.get(2));
            template.cancel(kept);
            template.cancelOfKey("outbox", "of nobody");
            transactions.run(PROPAGATION_REQUIRES_NEW, inner -> {
                send(template, own.get(0));
                template.reschedule(kept, HOUR.multipliedBy(2));
            });
            outer.setRollbackOnly();
        });
        send(template, own.get(1));
        assertThatThrownBy(() -> transactions.readOnly("Orders.list", status -> send(template, unique("read"))))
                .hasMessageContaining("the transaction Orders.list is read-only");
        assertThatThrownBy(() -> new SpringTransactions(new DelegatingDataSource(database))
                        .run(PROPAGATION_REQUIRED, status -> send(template, unique("foreign"))))
                .hasMessageContaining("is none of the DataSource shop, where the outbox is");

        assertThat(outbox.state().rows()).isEqualTo(4);
        start(OutboxListener.NONE);
        awaitEmpty();
        assertThat(found(kept).status()).isIn(MessageStatus.WAIT_PUT, MessageStatus.DELAY);
        assertThat(found(kept).dueTime())
                .isAfter(Instant.ofEpochMilli(System.currentTimeMillis()).plus(HOUR));
        assertThat(own).allSatisfy(id -> assertThat(client.find(id)).isPresent());
        assertThat(lost).allSatisfy(id -> assertThat(client.find(id)).isEmpty());
    }

    /** Bodies are texts. */
    private record NoObjects() implements PayloadFormat {
        @Override
        public String write(Object payload) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object read(String body, Type type) {
            throw new UnsupportedOperationException();
        }
    }

    private static void send(DelayTemplate template, String id) {
        template.send("outbox", "body", HOUR, message -> message.id(id));
    }

    @Test
    void theDelayCountsFromTheCallByTheClockOfTheDatabase() throws SQLException {
        String id = unique("timed");
        String moved = unique("moved");
        commit(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(zone());
            }
            outbox.push(connection, message(id, ""));
            outbox.push(connection, message(moved, ""));
            outbox.reschedule(connection, moved, HOUR.multipliedBy(2));
        });
        long created = first("SELECT MIN(created_at) FROM mykit_delay_outbox");
        long movedTo = first("SELECT MAX(due_at) FROM mykit_delay_outbox");
        start(OutboxListener.NONE);
        awaitEmpty();
        assertThat(Instant.ofEpochMilli(created)).isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(found(id).dueTime()).isEqualTo(Instant.ofEpochMilli(created).plus(HOUR));
        assertThat(found(moved).dueTime()).isEqualTo(Instant.ofEpochMilli(movedTo));
        assertThat(movedTo - created).isBetween(HOUR.toMillis() * 2, HOUR.toMillis() * 2 + 10_000);
    }

    @Test
    void textsArriveAsTheyAre() throws SQLException {
        String id = unique("text");
        String body = "\u4e2d\u6587 \ud83d\ude80 \"\\ \n\t\u0000 ' ; -- " + "x".repeat(500_000);
        commit(connection -> outbox.push(connection, message(id, body)));
        start(OutboxListener.NONE);
        awaitEmpty();
        assertThat(found(id).body().text()).isEqualTo(body);
    }

    @Test
    void anOpenTransactionHoldsNothingUp() throws SQLException {
        String early = unique("early");
        String late = unique("late");
        start(OutboxListener.NONE);
        try (Connection slow = database.getConnection()) {
            slow.setAutoCommit(false);
            outbox.push(slow, message(early, ""));
            commit(connection -> outbox.push(connection, message(late, "")));
            await().atMost(Duration.ofSeconds(30)).until(() -> client.find(late).isPresent());
            awaitEmpty();
            assertThat(client.find(early)).isEmpty();
            slow.commit();
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> client.find(early).isPresent());
    }

    @Test
    void severalRelaysKeepTheOrderOfEachMessage() throws SQLException {
        Map<String, CancelResult> told = new ConcurrentHashMap<>();
        OutboxListener listener = new OutboxListener() {
            @Override
            public void cancelled(String id, CancelResult result) {
                told.put(id, result);
            }
        };
        for (int i = 0; i < 3; i++) {
            start(listener);
        }
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(unique("ordered" + i));
        }
        Instant base = Instant.ofEpochMilli(System.currentTimeMillis()).plus(HOUR);
        commit(connection -> {
            for (String id : ids) {
                outbox.push(connection, message(id, ""));
            }
        });
        for (int step = 1; step <= 10; step++) {
            Instant dueTime = base.plusSeconds(step);
            commit(connection -> {
                for (String id : ids) {
                    outbox.reschedule(connection, id, dueTime);
                }
            });
        }
        commit(connection -> {
            for (String id : ids.subList(0, 10)) {
                outbox.cancel(connection, id);
            }
        });
        awaitEmpty();
        for (String id : ids) {
            assertThat(found(id).dueTime()).as(id).isEqualTo(base.plusSeconds(10));
        }
        assertThat(told).hasSize(10).containsOnlyKeys(ids.subList(0, 10));
        assertThat(told.values()).containsOnly(CancelResult.CANCELLED);
        assertThat(outbox.state().setAside()).isZero();
    }

    @Test
    void aRefusedCallIsSetAsideAndPutBack() throws SQLException {
        String id = unique("conflict");
        client.push(message(id, "first"));
        commit(connection -> outbox.push(connection, message(id, "second")));
        start(OutboxListener.NONE);
        await().until(() -> outbox.state().setAside() == 1);
        SetAside row = outbox.setAside(10).get(0);
        assertThat(row.reason()).contains("ID_CONFLICT");
        assertThat(outbox.putBack(row.rowId())).isTrue();
        await().until(() -> outbox.state().setAside() == 1);
        assertThat(outbox.discard(row.rowId())).isTrue();
        assertThat(outbox.state().setAside()).isZero();
    }

    @Test
    void allMessagesOfAKeyAreCancelledAfterTheirPushes() throws SQLException {
        String key = unique("key");
        List<String> ids = List.of(unique("k1"), unique("k2"), unique("k3"));
        commit(connection -> {
            for (String id : ids) {
                outbox.push(
                        connection,
                        Message.builder("outbox").id(id).bizKey(key).delay(HOUR).build());
            }
            outbox.cancelOfKey(connection, "outbox", key);
        });
        start(OutboxListener.NONE);
        awaitEmpty();
        assertThat(ids).allSatisfy(id -> assertThat(found(id).status()).isEqualTo(MessageStatus.DELETE));
    }

    @Test
    void aMissingTableNamesTheScript() throws SQLException {
        database.execute("DROP TABLE mykit_delay_outbox");
        assertThatThrownBy(() -> DelayOutbox.open(database))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("io/mykit/delay/outbox/" + script() + ".sql");
    }
}
