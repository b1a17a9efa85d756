package io.mykit.delay.outbox;

import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.Message;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** An application with an outbox, and a server. */
@Timeout(60)
abstract class OutboxFixture {
    static final Duration DELAY = Duration.ofMinutes(30);

    final QueueStub server = new QueueStub();
    final List<OutboxRelay> relays = new ArrayList<>();
    Database database;
    DelayOutbox outbox;

    @BeforeEach
    void open() throws SQLException {
        database = Database.withTable();
        outbox = DelayOutbox.open(database.source());
    }

    @AfterEach
    void close() {
        server.close();
        relays.forEach(OutboxRelay::close);
    }

    OutboxRelay start() {
        return start(OutboxListener.NONE);
    }

    OutboxRelay start(OutboxListener listener) {
        return start(relay().listener(listener));
    }

    /** On a busy machine a thread may stand still for seconds. */
    OutboxRelay.Builder relay() {
        return outbox.relay(server.client()).poll(Duration.ofMillis(10)).lease(Duration.ofSeconds(20));
    }

    OutboxRelay start(OutboxRelay.Builder builder) {
        OutboxRelay relay = builder.start();
        relays.add(relay);
        return relay;
    }

    static Message message(String id) {
        return Message.builder("orders")
                .id(id)
                .body("body of " + id)
                .delay(DELAY)
                .build();
    }

    static Message message(String id, String bizKey) {
        return Message.builder("orders").id(id).bizKey(bizKey).delay(DELAY).build();
    }

    void push(String... ids) throws SQLException {
        database.commit(connection -> {
            for (String id : ids) {
                outbox.push(connection, message(id));
            }
        });
    }

    OutboxState state() {
        try {
            return outbox.state();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void awaitEmpty() {
        await().atMost(Duration.ofSeconds(30)).until(() -> state().rows() == 0);
    }

    void awaitSetAside(long count) {
        await().atMost(Duration.ofSeconds(30)).until(() -> state().setAside() == count && state().rows() == 0);
    }
}
