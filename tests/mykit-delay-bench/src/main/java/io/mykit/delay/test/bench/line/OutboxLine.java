package io.mykit.delay.test.bench.line;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.outbox.OutboxRelay;
import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.KeptConnections;
import io.mykit.delay.test.server.DatabaseServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Calls of an application's outbox, relayed. The application has its table in the same database server. */
public final class OutboxLine implements BenchLine {
    private static final Duration DELAY = Duration.ofHours(1);
    private static final int IN_A_TRANSACTION = 100;
    private static final Duration LONGEST = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "outbox";
    }

    @Override
    public String about() {
        return "rows of an application's outbox, pushed by one relay, beside pushes of the client without rows";
    }

    @Override
    public List<Figure> measure(Bout bout) throws SQLException, InterruptedException {
        int rows = bout.scale().drain();
        DatabaseServer database = bout.rig().databaseServer();
        DelayClient client =
                DelayClient.builder().endpoint(bout.rig().server().url()).build();
        Samples samples = new Samples();
        try (KeptConnections connections =
                new KeptConnections(database.freshDatabase("bench_outbox"), DatabaseServer.USER)) {
            try (Connection connection = connections.getConnection();
                    var statement = connection.createStatement()) {
                for (String sql : DelayOutbox.ddl("mysql", "mykit_delay_outbox")) {
                    statement.execute(sql);
                }
            }
            DelayOutbox outbox = DelayOutbox.open(connections);
            write(connections, outbox, rows / 10);
            relay(outbox, client, 1);
            for (int run = 1; run <= bout.scale().runs(); run++) {
                bout.say().accept("run " + run + " of " + bout.scale().runs());
                samples.add("written", rows / write(connections, outbox, rows));
                CpuClock cpu = bout.rig().storeClock();
                CpuClock own = bout.rig().rawClock();
                samples.add("relayed", rows / relay(outbox, client, 1));
                cpu.lap().forEach((part, seconds) -> samples.add(part, seconds * 1e6 / rows));
                own.lap().forEach((part, seconds) -> samples.add(part, seconds * 1e6 / rows));
                write(connections, outbox, rows);
                samples.add("relayed by two", rows / relay(outbox, client, 2));
                samples.add("pushed", rows / push(client, rows));
            }
        }
        return List.of(
                Figure.of(name(), "rows relayed", samples.median("relayed"), "/s")
                        .beside("pushAll without rows", samples.median("pushed"))
                        .must(Target.valueAtLeast(5000)),
                Figure.of(name(), "rows relayed by two relays", samples.median("relayed by two"), "/s"),
                Figure.of(name(), "rows written, 100 in a transaction", samples.median("written"), "/s"),
                Figure.of(name(), "CPU of the relay, with its JVM", samples.median("client"), "us"),
                Figure.of(name(), "CPU of server", samples.median("server"), "us"),
                Figure.of(name(), "CPU of database", samples.median("database"), "us"));
    }

    private static Message message() {
        return Message.builder("accept")
                .body("order 4711 was not paid")
                .delay(DELAY)
                .build();
    }

    /** Returns the seconds. */
    private static double write(KeptConnections connections, DelayOutbox outbox, int rows) throws SQLException {
        long begin = System.nanoTime();
        for (int written = 0; written < rows; written += IN_A_TRANSACTION) {
            try (Connection connection = connections.getConnection()) {
                connection.setAutoCommit(false);
                for (int i = 0; i < IN_A_TRANSACTION; i++) {
                    outbox.push(connection, message());
                }
                connection.commit();
            }
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Until the table is empty. Returns the seconds. */
    private static double relay(DelayOutbox outbox, DelayClient client, int count)
            throws SQLException, InterruptedException {
        long rows = outbox.state().rows();
        long begin = System.nanoTime();
        List<OutboxRelay> relays =
                Stream.generate(() -> outbox.relay(client).start()).limit(count).toList();
        try {
            while (relays.stream().mapToLong(OutboxRelay::relayed).sum() < rows) {
                if (System.nanoTime() - begin > LONGEST.toNanos()) {
                    throw new IllegalStateException(outbox.state() + " is left of " + rows + " rows after " + LONGEST);
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
            return (System.nanoTime() - begin) / 1e9;
        } finally {
            relays.forEach(OutboxRelay::close);
        }
    }

    private static double push(DelayClient client, int messages) {
        long begin = System.nanoTime();
        for (int pushed = 0; pushed < messages; pushed += 500) {
            List<Message> batch =
                    Stream.generate(OutboxLine::message).limit(500).toList();
            client.pushAll(batch).forEach(result -> {
                var unused = result.orThrow();
            });
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
