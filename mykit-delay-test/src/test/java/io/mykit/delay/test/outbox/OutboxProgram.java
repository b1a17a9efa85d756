package io.mykit.delay.test.outbox;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.outbox.OutboxRelay;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * An application that stands still at a line, to be killed there: it prints the name of the line, and waits for ever.
 *
 * <p>Arguments: the JDBC URL, its user, the URL of the server, the line or {@code none}, and the prefix of its orders.
 */
final class OutboxProgram {
    /** Lines at which the program can be killed. */
    enum Line {
        /** No line: it places orders until it is killed. Each third one is rolled back. */
        NONE,
        INSERTED,
        COMMITTED,
        /** Rows are taken, and the server was not called yet. */
        TAKEN,
        /** The server has answered, and the rows are not deleted. */
        ANSWERED,
        /** The rows are deleted, and that is not committed. */
        DELETED
    }

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
        OutboxRelay relay = DelayOutbox.open(program.watched())
                .relay(client)
                .poll(Duration.ofMillis(5))
                .start();
        for (int number = 0; line == Line.NONE || number == 0; number++) {
            program.place(outbox, number);
            relay.wake();
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

    /** Connections that stand still where the relay commits what the line is about. */
    private DataSource watched() {
        return (DataSource) Proxy.newProxyInstance(
                OutboxProgram.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> watched((Connection) method.invoke(database, arguments)));
    }

    private Connection watched(Connection connection) {
        boolean[] seen = new boolean[2];
        return (Connection) Proxy.newProxyInstance(
                OutboxProgram.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        String sql = (String) arguments[0];
                        seen[0] |= sql.startsWith("UPDATE") && sql.contains("tries = tries + 1");
                        seen[1] |= sql.startsWith("DELETE");
                        if (line == Line.ANSWERED && seen[1]) {
                            stop(line);
                        }
                    }
                    boolean commits = method.getName().equals("commit");
                    if (commits && line == Line.DELETED && seen[1]) {
                        stop(line);
                    }
                    try {
                        Object result = method.invoke(connection, arguments);
                        if (commits && line == Line.TAKEN && seen[0]) {
                            stop(line);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
