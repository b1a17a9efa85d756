package io.mykit.delay.outbox.example;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.outbox.OutboxListener;
import io.mykit.delay.outbox.OutboxRelay;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** An order and the message that lets it expire are committed together, or none of them is. */
public final class Orders implements OutboxListener, AutoCloseable {
    private final DataSource database;
    private final DelayOutbox outbox;
    private final OutboxRelay relay;

    public Orders(DataSource database, DelayClient client) throws SQLException {
        this.database = database;
        this.outbox = DelayOutbox.open(database);
        this.relay = outbox.relay(client).listener(this).start();
    }

    public void place(String number) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            update(connection, "INSERT INTO orders (number, state) VALUES (?, 'OPEN')", number);
            outbox.push(
                    connection,
                    Message.builder("orders")
                            .id("orders-expiry-" + number)
                            .body(number)
                            .delay(Duration.ofMinutes(30))
                            .build());
            connection.commit();
        }
        relay.wake();
    }

    public void pay(String number) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            update(connection, "UPDATE orders SET state = 'PAID' WHERE number = ?", number);
            outbox.cancel(connection, "orders-expiry-" + number);
            connection.commit();
        }
        relay.wake();
    }

    /** The relay tells it, perhaps twice, and perhaps in another instance. */
    @Override
    public void cancelled(String id, CancelResult result) {
        System.out.println(id + ": " + result);
    }

    @Override
    public void close() {
        relay.close();
    }

    private static void update(Connection connection, String sql, String number) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, number);
            statement.executeUpdate();
        }
    }
}
