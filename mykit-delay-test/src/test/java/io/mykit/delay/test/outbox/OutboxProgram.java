package io.mykit.delay.test.outbox;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.outbox.OutboxRelay;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * An application that stands still at a line, to be killed there: it prints the name of the line, and waits for ever.
 *
 * <p>Arguments: the JDBC URL, its user, the URL of the server, the line or {@code none}, and the prefix of its orders.
 */
final class OutboxProgram {
    /** Between two orders: what is left at the end has to be delivered. */
    private static final long PAUSE_NANOS = 5_000_000;

    private final DataSource database;
    private final Line line;
    private final String prefix;

    private OutboxProgram(DataSource database, Line line, String prefix) {
        this.database = database;
        this.line = line;
        this.prefix = prefix;
    }

    public static void main(String[] args) throws Exception {
        Line line = Line.valueOf(args[3]);
        DataSource database = new UrlDataSource(args[0], args[1]);
        DelayClient client = DelayClient.builder().endpoint(args[2]).build();
        OutboxProgram program = new OutboxProgram(database, line, args[4]);
        DelayOutbox outbox = DelayOutbox.open(database);
        if (line == Line.INSERTED || line == Line.COMMITTED) {
            program.place(outbox, 0);
            stop(Line.COMMITTED);
        }
        OutboxRelay relay = DelayOutbox.open(line.watched(database, () -> stop(line)))
                .relay(client)
                .poll(Duration.ofMillis(5))
                .start();
        for (int number = 0; line == Line.NONE || number == 0; number++) {
            program.place(outbox, number);
            relay.wake();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        new CountDownLatch(1).await();
    }

    private void place(DelayOutbox outbox, int number) throws SQLException {
        String id = prefix + "-" + number;
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
                insert.setString(1, id);
                insert.executeUpdate();
            }
            outbox.push(
                    connection,
                    Message.builder("outbox")
                            .id(id)
                            .body(id)
                            .delay(Duration.ofMillis(number % 7 * 100L))
                            .build());
            if (line == Line.INSERTED) {
                stop(line);
            }
            if (number % 3 == 2) {
                connection.rollback();
            } else {
                connection.commit();
            }
        }
    }

    private static void stop(Line here) {
        System.out.println("AT " + here);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
